import { isUtf8 } from 'node:buffer';

/** A file's text; of one that is not UTF-8 and has no mark that says so, how its bytes were read. */
export interface DecodedText {
  readonly text: string;
  readonly readAs?: ReadAs;
}

export type ReadAs = 'UTF-16LE' | 'UTF-16BE' | 'UTF-32LE' | 'UTF-32BE' | 'Windows-1252' | 'faulty UTF-8';

/** As git and rg tell: a text has no NUL in its first part, unless its characters have several bytes each. */
export const PROBED_BYTES = 8_192;

/**
 * UTF-8, or UTF-16 where a byte order mark says so, as rg reads them too; else what its bytes look like: UTF-16 or
 * UTF-32 by where the NULs of most characters stand, and without any NUL Windows-1252, which Latin-1 is a part of.
 * @returns undefined for what is no text
 */
export function decodeText(bytes: Buffer): DecodedText | undefined {
  const wide = readsAsWide(bytes);
  if (wide)
    return wide.isMarked ? { text: wide.decode(bytes) } : { text: wide.decode(bytes), readAs: wide.as };
  if (bytes.subarray(0, PROBED_BYTES).includes(0)) return undefined;
  if (isUtf8(bytes)) return { text: withoutMark(bytes.toString('utf8')) };
  return withFaults(bytes);
}

/** How a file is read that is not UTF-8, by its first bytes; undefined where it is, or is no text. */
export function readAsOf(begun: Buffer): ReadAs | undefined {
  return decodeText(begun)?.readAs;
}

type Wide = {
  readonly as: ReadAs;
  /** Whether a mark says so that rg knows, too. */
  readonly isMarked: boolean;
  decode(bytes: Buffer): string;
};

function readsAsWide(bytes: Buffer): Wide | undefined {
  const isLittle32 = startsWith(bytes, [0xff, 0xfe, 0, 0]);
  if (isLittle32 || startsWith(bytes, [0, 0, 0xfe, 0xff])) return utf32(isLittle32 ? 'LE' : 'BE');
  const isLittle16 = startsWith(bytes, [0xff, 0xfe]);
  if (isLittle16 || startsWith(bytes, [0xfe, 0xff])) return utf16(isLittle16 ? 'LE' : 'BE', true);
  const begun = bytes.subarray(0, Math.min(PROBED_BYTES, bytes.length & ~3 || bytes.length));
  if (!begun.includes(0)) return undefined;
  const guesses = [utf32('LE'), utf32('BE'), utf16('LE'), utf16('BE')];
  return guesses.find(({ as, decode }) => begun.length % unitOf(as) === 0 && isPlain(decode(begun)));
}

function unitOf(as: ReadAs): number {
  return as.startsWith('UTF-32') ? 4 : 2;
}

function utf16(order: 'LE' | 'BE', isMarked = false): Wide {
  const decode = (bytes: Buffer) => new TextDecoder(order === 'LE' ? 'utf-16le' : 'utf-16be').decode(bytes);
  return { as: `UTF-16${order}`, isMarked, decode };
}

function utf32(order: 'LE' | 'BE'): Wide {
  return { as: `UTF-32${order}`, isMarked: false, decode: (bytes) => withoutMark(decodeUtf32(bytes, order)) };
}

const LAST_CODE_POINT = 0x10ffff;

function decodeUtf32(bytes: Buffer, order: 'LE' | 'BE'): string {
  const pieces: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = order === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    pieces.push(point > LAST_CODE_POINT ? '\ufffd' : String.fromCodePoint(point));
  }
  return pieces.join('');
}

/** At most so many of a hundred characters may lie outside of ASCII, before bytes are no longer taken for text by a guess. */
const MOST_FOREIGN_PERCENT = 40;

/** Whether it begins like a text: nothing that steers or is no character, and most of it ASCII. */
function isPlain(begun: string): boolean {
  // Its end may be half of a character.
  const text = begun.endsWith('\ufffd') ? begun.slice(0, -1) : begun;
  let foreign = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isBreak = code === 9 || code === 10 || code === 12 || code === 13 || code === 27;
    if ((code < 32 && !isBreak) || code === 0xfffd || code === 0xffff) return false;
    if (code > 126) foreign += 1;
  }
  return text.length > 0 && foreign * 100 <= text.length * MOST_FOREIGN_PERCENT;
}

/** What is UTF-8 but for a few bytes stays that; else each byte is a character. */
function withFaults(bytes: Buffer): DecodedText {
  const text = bytes.toString('utf8');
  const faults = text.match(/\ufffd/g)?.length ?? 0;
  const foreign = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  if (foreign > faults) return { text: withoutMark(text), readAs: 'faulty UTF-8' };
  return { text: new TextDecoder('windows-1252').decode(bytes), readAs: 'Windows-1252' };
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((each, at) => bytes[at] === each);
}
