import { asItIsRead, asItLooks, DIGITS, TAGS, withDigitsRead, withTagsRead } from './as-it-looks.ts';
import { inPlainLetters } from './letters-alike.ts';
import { saysOwnSentence } from './says-own-sentence.ts';

const APART = '[^\\p{L}\\p{N}]';
/** Digits, signs, and several letters together, that look like one. */
const AS_DRAWN: Readonly<Record<string, string>> = {
  d: '(?:d|c[l1|]|o[l1|])',
  e: '[e3]',
  h: '(?:h|[|l1]-[|l1])',
  i: '[il1|]',
  l: '[l1|]',
  n: '(?:n|r[i1]|\\|\\\\\\||\\/\\\\\\/)',
  o: '(?:[o0]|\\(\\))',
  // Also the sigma that is written as a `c`.
  s: '[s5$c]',
  u: '(?:u|[il1|][il1|_]|\\|_\\|)',
  w: '(?:w|vv|\\\\\\/\\\\\\/)',
  x: '(?:x|\\)\\(|><)',
};
/** The pattern of a word, also where its letters stand apart, and as they are drawn. */
const spaced = (word: string) => [...word].map((letter) => AS_DRAWN[letter] ?? letter).join(`${APART}{0,3}`);
const NEXUS = spaced('nexus');
const BRACKET = '[[【〔❲⟦⁅「『]';
const COLON = '[:∶꞉ː։ꓽ׃܃]';
const DOT = '[.·•∙⋅・。ꓸ]';
const LINE = '[_ߺ]';

/**
 * What Nexus alone says: that something is cut, where it goes on, where the whole is kept, what it did, and its own
 * errors. Each reads a text once, wherever it stands.
 */
const SAID_BY_NEXUS: readonly RegExp[] = [
  new RegExp(`${BRACKET}\\s{0,20}(?:${DOT}\\s{0,3}${DOT}\\s{0,3}${DOT}|⋯)[\\s\\d]`, 'u'),
];
const SAID_BY_NAME: readonly RegExp[] = [
  new RegExp(`${NEXUS}\\s{0,3}\\/\\s{0,3}${spaced('cut')}`, 'iu'),
  // No quote, by which a list begins whose part may begin later.
  new RegExp(`${BRACKET}[^\\p{L}\\p{N}"]{0,4}${NEXUS}`, 'iu'),
  new RegExp(`${NEXUS}\\s{0,20}${COLON}`, 'iu'),
  new RegExp(`${NEXUS}${LINE}[\\p{L}\\p{N}_ߺ]{1,40}\\s{0,20}${COLON}`, 'iu'),
  /[Nn][Ee][Xx][Uu][SsCc][_ߺ]\p{Lu}/u,
];
/** In most texts there is none, so that no more is asked of them. */
const PART_OF_NAME = new RegExp(spaced('xu'), 'iu');
/** In an error, which is short and believed, any word of Nexus is one too many. */
const OF_NEXUS = new RegExp(`${NEXUS}|correlationid`, 'iu');
/** By which Nexus says whose an error or a question is. */
const OF_A_SERVER = new RegExp(
  `\\/\\s{0,3}[^\\s/]{1,100}\\s{1,3}(?:${spaced('answered')}|${spaced('asks')})\\s{0,3}${COLON}`,
  'iu',
);

/**
 * What one of those has in any of its forms: a letter of another script, what may be read as another, a bracket, or the
 * `xu` of the name, which stands in few texts. Without one, only a sentence can be Nexus's own.
 */
const MAY_SOUND = new RegExp(`[^\\t\\n\\r -~]|[[\\\\&%<]|${spaced('xu')}`, 'iu');

/**
 * Whether a text, or any part of it that may be shown alone, could be taken for Nexus's own word. A part may begin at
 * any place, so it does not matter where that stands; and it may be shown as it is or as JSON reads it.
 */
export function soundsLikeNexus(text: string): boolean {
  return MAY_SOUND.test(text) ? isInOneForm(text, isSaidByNexus) : saysOwnSentence(text);
}

function isSaidByNexus(form: string): boolean {
  const isSaid = (said: RegExp) => said.test(form);
  return (
    SAID_BY_NEXUS.some(isSaid) || (isSaid(PART_OF_NAME) && SAID_BY_NAME.some(isSaid)) || saysOwnSentence(form)
  );
}

/** Under which Nexus serves what is its own, in whatever letters that look like it and whatever is before it. */
const OWN_SCHEME = new RegExp(`^${APART}{0,20}${NEXUS}\\s{0,20}${COLON}`, 'iu');

/** What is looked at of a URI, and how much of that has to be seen, so that a scheme can't hide behind what is not. */
const HEAD_CHARS = 1_000;
const SCHEME_CHARS = 100;

/** Whether a URI, or a template of one, could be taken for one of Nexus's own. */
export function looksLikeOwnUri(uri: string): boolean {
  const isLong = uri.length > HEAD_CHARS;
  return isInOneForm(
    uri.slice(0, HEAD_CHARS),
    (form) => OWN_SCHEME.test(form) || (isLong && form.length < SCHEME_CHARS),
  );
}

/** Whether a text sounds like Nexus, speaks of it at all, or says as Nexus does which server said something. */
export function mentionsNexus(text: string): boolean {
  return isInOneForm(text, (form) => OF_NEXUS.test(form) || OF_A_SERVER.test(form) || isSaidByNexus(form));
}

/** What turns the letters after it round: in which order they are shown only a whole page tells. (UAX 9) */
const TURNS_LETTERS = /[\u202d\u202e]/;

function isInOneForm(text: string, isIt: (form: string) => boolean): boolean {
  const isShown = (form: string) => isIt(inPlainLetters(asItLooks(form)));
  const isInForm = (form: string) =>
    TURNS_LETTERS.test(form) ||
    isShown(form) ||
    (TAGS.test(form) && isShown(withTagsRead(form))) ||
    (DIGITS.test(form) && isShown(withDigitsRead(form)));
  return isInForm(text) || asItIsRead(text).some(isInForm);
}
