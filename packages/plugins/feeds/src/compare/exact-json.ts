import { randomUUID } from 'node:crypto';
import { canonicalJson } from '@nexus/primitives';
import { Tokenizer, TokenParser } from '@streamparser/json';

/** Stands for a string that is a number, in JSON that is being written; no file can hold it. */
const MARK = randomUUID();
const MAY_BE_MARKED = /"([0-9a-f-]{36})([-+.\dEe]+)"/g;

/** A number that JavaScript would round, such as 9007199254740993, as it is written. */
export class ExactNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return MARK + this.#text;
  }
}

/** Canonical JSON in which each number has all its digits. */
export function exactJson(value: unknown): string {
  return canonicalJson(value).replace(MAY_BE_MARKED, (whole, mark, digits) =>
    mark === MARK ? digits : whole,
  );
}

/** As many digits as every number keeps. */
const SAFE_DIGITS = 15;
/** In a text without it, `JSON.parse` rounds no number. */
const MAY_ROUND = /[\d.]{16}|e[+-]?\d{3}/i;

/**
 * `JSON.parse` that gives an `ExactNumber` for what it would round.
 * @throws {SyntaxError} where the text is no JSON
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_ROUND.test(text)) return value;
  let exact: unknown;
  const reader = exactReader('$', {
    value: (read) => {
      exact = read;
    },
  });
  reader.write(text.trim());
  if (!reader.isEnded) reader.end(); // a number ends where its text does
  return exact;
}

interface Reading {
  /** What stands at the path, with its name or place in what it is part of. */
  value(value: unknown, key: string | number | undefined): void;
  /** The JSON has ended. */
  end?(): void;
}

/** Reads JSON as a stream, with an `ExactNumber` for what would be rounded. */
export function exactReader(path: string, to: Reading): Tokenizer {
  const tokens = new ExactTokenizer();
  const values = new TokenParser({ paths: [path], keepStack: false });
  tokens.onToken = (token) => values.write(token);
  tokens.onEnd = () => {
    if (!values.isEnded) values.end();
  };
  values.onError = (error) => tokens.error(error);
  values.onEnd = () => {
    if (!tokens.isEnded) tokens.end();
    to.end?.();
  };
  values.onValue = ({ value, key }) => to.value(value, key);
  return tokens;
}

class ExactTokenizer extends Tokenizer {
  override parseNumber(text: string): number {
    // What it makes of a number is handed on as it is; its type knows numbers alone.
    return exactNumber(text) as number;
  }
}

function exactNumber(text: string): number | ExactNumber {
  const value = Number(text);
  if (text.length <= SAFE_DIGITS && !/e/i.test(text)) return value;
  return Number.isFinite(value) && decimal(String(value)) === decimal(text) ? value : new ExactNumber(text);
}

/** Its digits without the zeros around them, and the power of ten; without its sign. */
function decimal(text: string): string {
  const [, whole = '', part = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end === 0 ? '0' : `${digits.slice(0, end)}e${Number(power) - part.length + digits.length - end}`;
}
