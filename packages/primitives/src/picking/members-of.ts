import { endOfString, MAX_DEPTH } from '../json-bounds.ts';

/** Characters that are looked over at one go; a millisecond or two. */
const PIECE_CHARS = 256 * 1024;

/** An item of a list, or a member of an object, by where it stands in a text. */
export interface MemberRange {
  /** Of an object's, its name. */
  readonly name: string | undefined;
  readonly from: number;
  readonly to: number;
}

/**
 * What the list or object has that opens there, in its order, without a value being made of it; after each piece nothing,
 * for others to have their turn.
 * @returns where it ends
 * @throws {SyntaxError} where it does not, and where it is nested deeper than any value that is made may be
 */
export function* membersOf(text: string, open: number): Generator<MemberRange | undefined, number> {
  const isList = text.charCodeAt(open) === 0x5b;
  let depth = 0;
  let name: string | undefined;
  let from = open + 1;
  let turnAt = open + PIECE_CHARS;
  for (let at = open + 1; at < text.length; at += 1) {
    if (at > turnAt) {
      turnAt = at + PIECE_CHARS;
      yield undefined;
    }
    const char = text.charCodeAt(at);
    const isClosing = char === 0x5d || char === 0x7d;
    if (char === 0x22) {
      at = endOfString(text, at);
    } else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth >= MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
    } else if (isClosing && depth > 0) depth -= 1;
    else if (depth > 0) continue;
    else if (char === 0x3a && !isList && name === undefined) {
      name = JSON.parse(text.slice(from, at));
      from = at + 1;
    } else if (char === 0x2c || isClosing) {
      const member = { name, from: afterSpace(text, from), to: at };
      if (member.from < at) yield member;
      else if (char === 0x2c) throw new SyntaxError('a member is missing');
      [name, from] = [undefined, at + 1];
      if (!isClosing) continue;
      if ((char === 0x5d) !== isList) throw new SyntaxError('its brackets do not match');
      return at + 1;
    }
  }
  throw new SyntaxError('it has no end');
}

/** Where the next character stands that is no white space of JSON's. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return at;
}
