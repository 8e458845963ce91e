import { setImmediate as nextTurn } from 'node:timers/promises';
import { endOfString } from './json-bounds.ts';
import { putMember } from './put-member.ts';

/** Characters that values are made of at one go; some 5 ms of small objects. */
const PIECE_CHARS = 256 * 1024;

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a] as const;

/**
 * The value of a long JSON text, as `JSON.parse` makes it, in pieces between which others have their turn: a large list
 * or object is made of a few of its members at a time.
 * @throws {SyntaxError}
 */
export async function parseInTurns(text: string, pieceChars = PIECE_CHARS): Promise<unknown> {
  const ends = await endsOfLarge(text, pieceChars);
  try {
    return await new Pieces(text, { pieceChars, ends }).value(0, text.length);
  } catch {
    // Which says what is wrong with the text, and where.
    return JSON.parse(text);
  }
}

/** Where the lists and objects of more than a piece begin and end; all others are smaller. */
async function endsOfLarge(text: string, pieceChars: number): Promise<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let turnAt = pieceChars;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOpening(code)) open.push(at);
    else if (isClosing(code)) {
      const from = open.pop() ?? at;
      if (at - from > pieceChars) ends.set(from, at);
    }
    if (at < turnAt) continue;
    turnAt = at + pieceChars;
    await nextTurn();
  }
  return ends;
}

/** Members that follow one another, or one that holds something large. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly isLarge: boolean;
}

class Pieces {
  readonly #text: string;
  readonly #pieceChars: number;
  readonly #ends: ReadonlyMap<number, number>;

  constructor(
    text: string,
    { pieceChars, ends }: { readonly pieceChars: number; readonly ends: ReadonlyMap<number, number> },
  ) {
    this.#text = text;
    this.#pieceChars = pieceChars;
    this.#ends = ends;
  }

  async value(from: number, to: number): Promise<unknown> {
    const open = this.#afterSpace(from);
    const close = this.#ends.get(open);
    if (close === undefined) return JSON.parse(this.#text.slice(from, to));
    if (this.#afterSpace(close + 1) < to) throw new SyntaxError('something stands after it');
    const brackets = this.#text.charAt(open) + this.#text.charAt(close);
    if (brackets === '[]') return this.#list(open, close);
    if (brackets === '{}') return this.#object(open, close);
    throw new SyntaxError('its brackets do not match');
  }

  async #list(open: number, close: number): Promise<unknown[]> {
    const list: unknown[] = [];
    for (const { from, to, isLarge } of this.#parts(open, close)) {
      if (isLarge) list.push(await this.value(from, to));
      else for (const each of JSON.parse(`[${this.#membersOf(from, to)}]`)) list.push(each);
      await nextTurn();
    }
    return list;
  }

  async #object(open: number, close: number): Promise<object> {
    const object = {};
    for (const { from, to, isLarge } of this.#parts(open, close)) {
      if (isLarge) {
        const { name, valueFrom } = this.#nameAt(from);
        putMember(object, name, await this.value(valueFrom, to));
      } else {
        const members: Readonly<Record<string, unknown>> = JSON.parse(`{${this.#membersOf(from, to)}}`);
        for (const name of Object.keys(members)) putMember(object, name, members[name]);
      }
      await nextTurn();
    }
    return object;
  }

  /** Of a list or object, in their order; between two of them stands a comma. */
  *#parts(open: number, close: number): Generator<Part> {
    let from = open + 1;
    let member = from;
    let isLarge = false;
    let depth = 0;
    for (let at = from; at <= close; at += 1) {
      const code = at === close ? COMMA : this.#text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(this.#text, at);
      else if (isOpening(code)) {
        const end = this.#ends.get(at);
        if (end === undefined) depth += 1;
        else [at, isLarge] = [end, true];
      } else if (isClosing(code)) depth -= 1;
      else if (code === COMMA && depth === 0) {
        if (isLarge && member > from) yield { from, to: member - 1, isLarge: false };
        if (isLarge) yield { from: member, to: at, isLarge };
        else if (at - from >= this.#pieceChars || at === close) yield { from, to: at, isLarge };
        if (isLarge || at - from >= this.#pieceChars) from = at + 1;
        member = at + 1;
        isLarge = false;
      }
    }
  }

  /** None is no members: a comma stands beside it that has nothing to part. */
  #membersOf(from: number, to: number): string {
    if (this.#afterSpace(from) >= to) throw new SyntaxError('a member is missing');
    return this.#text.slice(from, to);
  }

  #nameAt(from: number): { readonly name: string; readonly valueFrom: number } {
    const start = this.#afterSpace(from);
    if (this.#text.charCodeAt(start) !== QUOTE) throw new SyntaxError('a name is missing');
    const end = endOfString(this.#text, start) + 1;
    const colon = this.#afterSpace(end);
    if (this.#text.charCodeAt(colon) !== COLON) throw new SyntaxError('a colon is missing');
    return { name: JSON.parse(this.#text.slice(start, end)), valueFrom: colon + 1 };
  }

  #afterSpace(from: number): number {
    let at = from;
    while (' \t\n\r'.includes(this.#text.charAt(at)) && at < this.#text.length) at += 1;
    return at;
  }
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}
