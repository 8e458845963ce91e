import { counted } from '../counted.ts';
import { boundsFault, MAX_DEPTH } from '../json-bounds.ts';
import { isJsonSoFar } from '../json-so-far.ts';
import { parseWritten, writtenJson } from '../written-json.ts';
import { beginningOfJson } from './beginning-of-json.ts';
import { fewerText, type SizeOf } from './fewer.ts';
import { leftOut } from './left-out.ts';
import { OWN_SENTENCES } from './own-sentences.ts';
import { shrinkJson } from './shrink-json.ts';
import { type Cost, within } from './within.ts';

/**
 * A text that is JSON, or a line of JSON after another, cut by its shape: the first items of its lists and the ends of
 * its texts, as JSON that can be read, after a line that says where the whole is and which lists have how many of how
 * many items. Of JSON that is too large to be read whole, no more is read than that.
 * @param maxChars of all of it, where that holds what is said
 * @param cost of what comes of it, where that is not its length
 * @returns undefined for a text that is no JSON
 */
export function cutJson(text: string, maxChars: number, uri: string, cost?: Cost): string | undefined {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  const fault = boundsFault(text);
  if (fault !== undefined) {
    const begun = beginningOfJson(text, maxChars);
    if (begun) return shapeOf(text, begun, { maxChars, uri, cost });
    if (!isJsonSoFar(text, MAX_DEPTH)) return cutLines(text, { maxChars, uri, cost });
    // No part of it can be shown that would be JSON, too.
    return leftOut(text.length, text.length, uri, OWN_SENTENCES.noneShown(fault));
  }
  const value = parsed(text);
  if (value === undefined) return cutLines(text, { maxChars, uri, cost });
  return shapeOf(text, { value }, { maxChars, uri, cost });
}

interface Cut {
  readonly maxChars: number;
  readonly uri: string;
  readonly cost: Cost | undefined;
}

function shapeOf(
  text: string,
  { value, sizeOf }: { readonly value: unknown; readonly sizeOf?: SizeOf },
  { maxChars, uri, cost }: Cut,
): string {
  const size = sizeOf && { sizeOf };
  const shaped = (room: number) => {
    const shown = shrinkJson(value, room, uri);
    const said = writtenJson(shown);
    const fewer = fewerText(value, shown, { room: maxChars / 4, ...size });
    const also = [
      ...(fewer === undefined ? [] : [OWN_SENTENCES.shape(fewer)]),
      ...(shown === value && fewer === undefined ? [OWN_SENTENCES.butWhiteSpace()] : []),
    ];
    const left = Math.max(0, text.length - said.length);
    return `${leftOut(left, text.length, uri, also.join(''))}\n${said}`;
  };
  return within(maxChars, shaped, cost);
}

/** Lines of which the first is JSON: as many whole ones as fit, and of the first at least its shape. */
function cutLines(text: string, { maxChars, uri, cost }: Cut): string | undefined {
  const end = text.indexOf('\n');
  const line = text.slice(0, Math.max(0, end));
  const first = boundsFault(line) === undefined ? parsed(line) : undefined;
  if (first === undefined) return undefined;
  const of = text.trimEnd().split('\n').length;
  const lines = (room: number) => {
    const last = text.lastIndexOf('\n', room);
    const head = last === -1 ? writtenJson(shrinkJson(first, room, uri)) : text.slice(0, last);
    const also = OWN_SENTENCES.shape(`${head.split('\n').length} of ${counted(of, 'line')}`);
    return `${leftOut(Math.max(0, text.length - head.length), text.length, uri, also)}\n${head}`;
  };
  return within(maxChars, lines, cost);
}

function parsed(text: string): unknown {
  try {
    return parseWritten(text);
  } catch {
    return undefined;
  }
}
