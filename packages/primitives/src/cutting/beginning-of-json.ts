import { endOfString } from '../json-bounds.ts';
import { putMember } from '../put-member.ts';
import { parseWritten } from '../written-json.ts';
import type { SizeOf } from './fewer.ts';

/** What is made of a text, of what is shown of it: enough to choose from. */
const MADE_OF_SHOWN = 4;
/** Deeper ones are empty; all of them are nested in what is shown at all. */
const MAX_DEPTH = 50;

/** Items of a list that say enough without one that is there in part. */
const MIN_WHOLE = 2;

export interface BegunJson {
  /** As `parseWritten` reads it, with no more of its lists and objects than their beginnings. */
  readonly value: unknown;
  /** How many items or members each of these has in the text. */
  readonly sizeOf: SizeOf;
}

/** A list or an object whose end is not reached. */
interface Open {
  readonly made: unknown[] | object;
  /** Of the text it may be made of, in characters; each inside of it has half of what is left. */
  readonly room: number;
  left: number;
  count: number;
  /** Whether something inside of it is there in part only. */
  isPart: boolean;
  name: string | undefined;
}

/**
 * The beginnings of the lists and objects of a JSON text, without a value being made of the rest: that is read over
 * once, at some 3 ms a million characters, for how much there is.
 * @param maxChars how many characters of it are to be shown
 * @returns undefined for a text whose brackets do not match, or whose beginning is no JSON
 */
export function beginningOfJson(text: string, maxChars: number): BegunJson | undefined {
  try {
    return new Beginning(text, MADE_OF_SHOWN * maxChars).read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Beginning {
  readonly #text: string;
  readonly #maxChars: number;
  readonly #sizes = new Map<object, number>();
  readonly #open: Open[] = [];
  #value: unknown;

  constructor(text: string, maxChars: number) {
    this.#text = text;
    this.#maxChars = maxChars;
  }

  read(): BegunJson {
    const text = this.#text;
    let at = 0;
    for (; at < text.length; at += 1) {
      const char = text.charCodeAt(at);
      // Space, line ends and tabs are all below it, and no other sign of JSON is.
      if (char <= 0x20) continue;
      if (char === 0x7b || char === 0x5b) at = this.#begin(at, char === 0x5b);
      else if (char === 0x7d || char === 0x5d) {
        if (this.#end(char === 0x5d)) break;
      } else if (char !== 0x2c && char !== 0x3a) at = this.#scalar(at, char);
    }
    if (this.#open.length > 0 || at === text.length || text.slice(at + 1).trim() !== '') {
      throw new SyntaxError('it ends elsewhere');
    }
    const sizes = this.#sizes;
    return { value: this.#value, sizeOf: (of) => sizes.get(of) ?? Object.keys(of).length };
  }

  /** @returns where it ends, if nothing is made of it */
  #begin(at: number, isList: boolean): number {
    const around = this.#open.at(-1);
    if (around) around.count += 1;
    if (around && (around.left <= 0 || this.#open.length >= MAX_DEPTH)) {
      around.name = undefined;
      return endOfBrackets(this.#text, at);
    }
    const made = isList ? [] : {};
    if (around) put(around, made);
    else this.#value = made;
    const room = around ? around.left / 2 : this.#maxChars;
    this.#open.push({ made, room, left: room, count: 0, isPart: false, name: undefined });
    return at;
  }

  /** @returns whether that was the last */
  #end(isList: boolean): boolean {
    const ended = this.#open.pop();
    if (!ended || Array.isArray(ended.made) !== isList) throw new SyntaxError('its brackets do not match');
    this.#sizes.set(ended.made, ended.count);
    const around = this.#open.at(-1);
    if (!around) return true;
    around.left -= ended.room - ended.left + 2;
    if (!ended.isPart && Object.keys(ended.made).length === ended.count) return false;
    around.isPart = true;
    // Items that are whole say more than one that is there in part, and so are those after it.
    if (Array.isArray(around.made) && around.made.length > MIN_WHOLE) {
      around.made.pop();
      around.left = 0;
    }
    return false;
  }

  /** @returns where it ends */
  #scalar(at: number, char: number): number {
    const text = this.#text;
    const isText = char === 0x22;
    let end = isText ? endOfString(text, at) : at;
    const around = this.#open.at(-1);
    if (!around) throw new SyntaxError('it is no list and no object');
    if (!isText) while (isOfLiteral(text.charCodeAt(end + 1))) end += 1;
    around.left -= end - at + 2;
    const isName = isText && !Array.isArray(around.made) && around.name === undefined;
    if (isName) {
      around.name = around.left > 0 ? JSON.parse(text.slice(at, end + 1)) : '';
      return end;
    }
    around.count += 1;
    if (around.left > 0) put(around, parseWritten(text.slice(at, end + 1)));
    around.name = undefined;
    return end;
  }
}

/** Of what opens there. Millions may follow one another, so texts are passed over here, too, most of which are short. */
function endOfBrackets(text: string, from: number): number {
  const { length } = text;
  let depth = 0;
  for (let at = from; at < length; at += 1) {
    let char = text.charCodeAt(at);
    if (char === 0x22) {
      for (at += 1; at < length; at += 1) {
        char = text.charCodeAt(at);
        if (char === 0x22) break;
        if (char === 0x5c) at += 1;
      }
    } else if (char === 0x7b || char === 0x5b) depth += 1;
    else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new SyntaxError('its brackets do not match');
}

function put(around: Open, value: unknown): void {
  if (Array.isArray(around.made)) around.made.push(value);
  else putMember(around.made, around.name ?? '', value);
  around.name = undefined;
}

/** Neither white space nor a sign of its own. */
function isOfLiteral(char: number): boolean {
  return char > 0x20 && char !== 0x2c && char !== 0x5d && char !== 0x7d;
}
