import { randomUUID } from 'node:crypto';
import { endOfString } from './json-bounds.ts';
import { isRounded } from './rounded-numbers.ts';

/** Stands before a number in a value that is read here; no text from outside can hold it. */
const MARK = `${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}([-+.\\deE]+)"`, 'g');

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** In a text without it, JavaScript writes each number as it stood: no long one, no nought at an end, no exponent. */
const MAY_DIFFER = /[\d.]{16}|\.\d*0(?!\d)|\d[eE]|-0|0\.0{6}/;

/** Whether a JSON text may hold numbers that JavaScript writes otherwise. */
export function mayWriteOtherwise(text: string): boolean {
  return MAY_DIFFER.test(text);
}

/**
 * `JSON.parse`, in which a number that JavaScript would write otherwise, such as 9007199254740993, 1.10 or 1e3, keeps
 * how it was written: it is a text that `isWritten` knows, and `writtenJson` writes as the number.
 * @throws {SyntaxError} where the text is no JSON
 */
export function parseWritten(text: string): unknown {
  if (!mayWriteOtherwise(text)) return JSON.parse(text);
  return JSON.parse(
    numbersIn(text, (written) => (JSON.stringify(Number(written)) === written ? undefined : MARK + written)),
  );
}

/**
 * `JSON.parse`, in which a number that would be rounded is a text of all its digits.
 * @throws {SyntaxError} where the text is no JSON
 */
export function parseUnrounded(text: string): unknown {
  if (!mayWriteOtherwise(text)) return JSON.parse(text);
  return JSON.parse(numbersIn(text, (written) => (isRounded(written) ? written : undefined)));
}

/** Whether it is a number as it was written. */
export function isWritten(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** A value of `parseWritten`, or a part of one, as JSON. */
export function writtenJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? json.replace(MARKED, '$1') : json;
}

/** The same as it is read: a text as it is, anything else as JSON. */
export function writtenText(value: unknown): string {
  return typeof value === 'string' && !isWritten(value) ? value : writtenJson(value);
}

/** The text with other texts in the place of some of its numbers. */
function numbersIn(text: string, other: (written: string) => string | undefined): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') at = endOfString(text, at);
    if (char !== '-' && (char < '0' || char > '9')) continue;
    NUMBER.lastIndex = at;
    const [written = char] = NUMBER.exec(text) ?? [];
    const put = other(written);
    if (put !== undefined) {
      pieces.push(text.slice(from, at), JSON.stringify(put));
      from = at + written.length;
    }
    at += written.length - 1;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}
