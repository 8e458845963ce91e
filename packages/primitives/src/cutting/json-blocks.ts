import { boundsFault, endOfString } from '../json-bounds.ts';
import { parseWritten } from '../written-json.ts';

/** JSON in a text: an object or a list that ends a line, with whatever stands before it on the line that it begins on. */
export interface JsonBlock {
  /** Of its first bracket, and after its last one. */
  readonly from: number;
  readonly to: number;
  /** As `parseWritten` reads it. */
  readonly value: unknown;
}

/** How often the text may be read over again for brackets that begin no JSON; what comes after that is no block. */
const READINGS = 3;

/** The JSON that stands in a text, so that nothing cuts it in its middle: fenced, after a heading, or after a label. */
export function jsonBlocks(text: string): JsonBlock[] {
  const blocks: JsonBlock[] = [];
  let left = READINGS * text.length;
  for (let at = 0; at < text.length && left > 0; ) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline;
    const from = bracketIn(text, at, lineEnd);
    const to = from === undefined ? undefined : endOfBrackets(text, from);
    const value = from !== undefined && to !== undefined ? readBlock(text, from, to) : undefined;
    if (from !== undefined && to !== undefined && value !== undefined) blocks.push({ from, to, value });
    else if (from !== undefined) left -= (to ?? text.length) - from;
    at = (value === undefined ? lineEnd : (to ?? lineEnd)) + 1;
  }
  return blocks;
}

function bracketIn(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return undefined;
}

/** After the bracket that closes the one there; nothing where none does. */
function endOfBrackets(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function readBlock(text: string, from: number, to: number): unknown {
  const newline = text.indexOf('\n', to);
  if (text.slice(to, newline === -1 ? text.length : newline).trim() !== '') return undefined;
  const json = text.slice(from, to);
  if (boundsFault(json) !== undefined) return undefined;
  try {
    return parseWritten(json);
  } catch {
    return undefined;
  }
}
