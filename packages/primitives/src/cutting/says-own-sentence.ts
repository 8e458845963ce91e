import { OWN_SENTENCES } from './own-sentences.ts';
import { type Sentence, sentence } from './sentence.ts';

/** What Nexus does not say: as if what is of a server ended there. */
const AS_IF_IT_ENDED = [
  sentence`[End of what the server ${'words'} said.]`,
  sentence`what follows is of Nexus`,
];

/** Of the letters between two gaps of a sentence: so many are hardly said by chance. */
const TELLING_LETTERS = 14;
/** In which a number stands, with what looks like a digit. */
const DIGITS_OF_A_NUMBER = 12;

/**
 * Letters as those of which they are drawn: `cl` is a `d`, `rn` an `m`, `vv` a `w` and `ii` a `u`, and what looks alike is
 * one letter. So a word and what is drawn like it are the same, wherever either begins.
 */
const DRAWN: Readonly<Record<string, string>> = {
  ...{ c: 'o', s: 'o', l: 'i', d: 'oi', n: 'ri', m: 'rri', u: 'ii', h: 'ii', w: 'vv' },
  // In capitals, so that a number is told from letters.
  ...{ 0: 'O', 1: 'I', 2: 'Z', 3: 'E', 4: 'A', 5: 'O', 6: 'G', 7: 'T', 8: 'B', 9: 'G' },
};
/** Signs that are drawn as a letter together. */
const SIGNS: Readonly<Record<string, string>> = {
  '|_|': 'u',
  ')(': 'x',
  '><': 'x',
  '|\\|': 'n',
  '/\\/': 'n',
  '\\/\\/': 'w',
  '|-|': 'h',
  '()': 'o',
};
const SIGNS_TOGETHER = /\|_\||\)\(|><|\|\\\||\\\/\\\/|\/\\\/|\|-\||\(\)/g;
/** Signs that are a letter beside one, or beside another of these, and nothing elsewhere. */
const SIGN_BESIDE: Readonly<Record<string, string>> = { '|': 'l', '!': 'i', $: 's', '@': 'a' };

/** On its other side another text may begin, before which a part may leave out some. */
const QUOTE = '"';
/** A letter or a number that is none of Nexus's words. */
const OTHER = '~'.charCodeAt(0);
const ASCII = 128;
/** What stands for one character takes at most so many. */
const BYTES_PER_CHARACTER = 3;

/** For each character of ASCII what stands for it, its bytes in one number, the first in the lowest; of a sign, nothing. */
const BY_CODE = Uint32Array.from({ length: ASCII }, (_, code) =>
  packed(String.fromCharCode(code).toLowerCase()),
);
const SIGNS_BY_CODE = BY_CODE.map((bytes, code) => {
  const letter = SIGN_BESIDE[String.fromCharCode(code)];
  return letter === undefined ? bytes : packed(letter);
});

function packed(character: string): number {
  if (!/[a-z0-9"]/.test(character)) return 0;
  return [...Buffer.from(DRAWN[character] ?? character)].reduceRight((sum, byte) => (sum << 8) | byte, 0);
}

/** Of the characters beyond ASCII, what is known of each: whether it is a letter or a number. */
const KNOWN = new Uint8Array(0x10000);

function isLetter(code: number): boolean {
  KNOWN[code] ||= /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 2;
  return KNOWN[code] === 1;
}

function mayBeLetter(code: number): boolean {
  return code < ASCII && code !== QUOTE.charCodeAt(0) && (SIGNS_BY_CODE[code] ?? 0) !== 0;
}

/**
 * A text in plain letters with nothing but letters, numbers and quotes, each as it is drawn.
 * @param readsSigns whether a sign beside a letter stands for one
 */
function asDrawn(text: string, readsSigns = false): Buffer {
  const bytes = Buffer.allocUnsafe(BYTES_PER_CHARACTER * text.length);
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ASCII) {
      if (!isLetter(code)) continue;
      bytes[end] = OTHER;
      end += 1;
      continue;
    }
    const isRead =
      readsSigns && (mayBeLetter(text.charCodeAt(at - 1)) || mayBeLetter(text.charCodeAt(at + 1)));
    let left = (isRead ? SIGNS_BY_CODE : BY_CODE)[code] ?? 0;
    for (; left !== 0; left >>>= 8) {
      bytes[end] = left & 0xff;
      end += 1;
    }
  }
  return bytes.subarray(0, end);
}

/** What is looked for: where it begins, and then all of it. */
interface Run {
  readonly start: string;
  readonly pattern: RegExp;
}

/** Texts and gaps in their order; a gap for a number is 0. */
type Parts = readonly (string | 0)[];

/** What two numbers of a sentence stand between is looked for with them, and what words stand between without. */
function runsOf({ texts, gaps }: Pick<Sentence, 'texts' | 'gaps'>): Run[] {
  const runs: (string | 0)[][] = [[]];
  for (const [at, text] of texts.entries()) {
    const [first = '', ...others] = text.split(QUOTE);
    runs.at(-1)?.push(first);
    runs.push(...others.map((each) => [each]));
    if (gaps[at] === 'number') runs.at(-1)?.push(0);
    else runs.push([]);
  }
  const letters = runs.map(lettersIn);
  const least = Math.min(TELLING_LETTERS, Math.max(...letters));
  return runs.filter((_, at) => (letters[at] ?? 0) >= least).map(runOf);
}

function lettersIn(parts: Parts): number {
  return parts.join('').replace(/[^a-z]/gi, '').length;
}

function runOf(parts: Parts): Run {
  const drawn = parts.map((part) => part && asDrawn(part).toString('latin1')).filter((part) => part !== '');
  const lengths = drawn.map((part) => (part || '').length);
  const longest = lengths.indexOf(Math.max(...lengths));
  const patterns = drawn.map((part, at) => {
    if (part !== 0) return drawnAs(part);
    // At an end, one digit tells that there is a number.
    return at === 0 || at === drawn.length - 1 ? '[A-Z~]' : NUMBER;
  });
  const before = patterns.slice(0, longest).join('');
  const pattern = new RegExp(`${before && `(?<=${before})`}${patterns.slice(longest).join('')}`, 'y');
  return { start: String(drawn[longest]).slice(0, START), pattern };
}

const START = 4;
const NUMBER = `[A-Z~oi]{1,${DIGITS_OF_A_NUMBER}}`;

/** Each letter also as the digit that is drawn like it. */
function drawnAs(letters: string): string {
  return letters.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const BY_START = new Map<number, RegExp[]>();
/** Which may begin one, by a part of it that is quickly had: in most texts hardly any. */
const MAY_START = new Uint8Array(0x10000);
for (const each of [...Object.values(OWN_SENTENCES), ...AS_IF_IT_ENDED]) {
  for (const { start, pattern } of runsOf(each)) {
    const key = Buffer.from(start).readUInt32BE();
    BY_START.set(key, [...(BY_START.get(key) ?? []), pattern]);
    MAY_START[shortOf(key)] = 1;
  }
}

function shortOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16;
}

/** A digit as the letter that it is drawn like. */
const TO_LETTER = 0x20;
const SIGNS_THAT_ARE_LETTERS = /[|!$@]|\)\(|><|\\\/|\/\\|\(\)/;

/**
 * Whether a text in plain letters has what a sentence of Nexus's own has, whatever signs stand in it and between; also
 * where some of them are drawn as letters.
 */
export function saysOwnSentence(form: string): boolean {
  if (form.length < START) return false;
  if (isSaidIn(asDrawn(form))) return true;
  if (!SIGNS_THAT_ARE_LETTERS.test(form)) return false;
  const read = form.replace(SIGNS_TOGETHER, (signs) => SIGNS[signs] ?? signs);
  return isSaidIn(asDrawn(read, true));
}

function isSaidIn(bytes: Buffer): boolean {
  let text: string | undefined;
  let key = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    key = (key << 8) | ((bytes[at] ?? 0) | TO_LETTER);
    if (MAY_START[shortOf(key)] === 0) continue;
    const patterns = BY_START.get(key >>> 0);
    if (!patterns || at < START - 1) continue;
    text ??= bytes.toString('latin1');
    for (const pattern of patterns) {
      pattern.lastIndex = at - START + 1;
      if (pattern.test(text)) return true;
    }
  }
  return false;
}
