import { boundsFault } from '../json-bounds.ts';
import { parseWritten, writtenJson } from '../written-json.ts';
import { fewerText } from './fewer.ts';
import { leftOut } from './left-out.ts';
import { shrinkJson } from './shrink-json.ts';

/**
 * A text that is JSON, or a line of JSON after another, cut by its shape: the first items of its lists and the ends of
 * its texts, as JSON that can be read, after a line that says where the whole is and which lists have how many of how
 * many items.
 * @returns undefined for a text that is no JSON
 */
export function cutJson(text: string, keepChars: number, uri: string): string | undefined {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  const fault = boundsFault(text);
  // Whether it is JSON can't be told; no part of it can be shown that would be.
  if (fault !== undefined)
    return leftOut(text.length, text.length, uri, `; it ${fault}, so none of it is shown`);
  const value = parsed(text);
  if (value === undefined) return cutLines(text, keepChars, uri);
  const shown = shrinkJson(value, keepChars, uri);
  const said = writtenJson(shown);
  const fewer = fewerText(value, shown);
  const also = [
    ...(fewer === undefined ? [] : [`it has here ${fewer}`]),
    ...(shown === value ? ['here it is all but its white space'] : []),
  ];
  const left = Math.max(0, text.length - said.length);
  return `${leftOut(left, text.length, uri, also.map((each) => `; ${each}`).join(''))}\n${said}`;
}

/** Lines of which the first is JSON: as many whole ones as fit, and of the first at least its shape. */
function cutLines(text: string, keepChars: number, uri: string): string | undefined {
  const end = text.indexOf('\n');
  const first = end === -1 ? undefined : parsed(text.slice(0, end));
  if (first === undefined) return undefined;
  const last = text.lastIndexOf('\n', keepChars);
  const head = last === -1 ? writtenJson(shrinkJson(first, keepChars, uri)) : text.slice(0, last);
  const lines = head.split('\n').length;
  const also = `; it has here ${lines} of ${text.trimEnd().split('\n').length} lines`;
  return `${leftOut(Math.max(0, text.length - head.length), text.length, uri, also)}\n${head}`;
}

function parsed(text: string): unknown {
  try {
    return parseWritten(text);
  } catch {
    return undefined;
  }
}
