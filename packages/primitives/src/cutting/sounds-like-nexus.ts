import { asItIsRead, asItLooks } from './as-it-looks.ts';
import { inPlainLetters } from './letters-alike.ts';

const APART = '[^\\p{L}\\p{N}]';
/** The pattern of a word, also where its letters stand apart, and with the digits and the line that look like them. */
const spaced = (word: string) =>
  [...word].map((letter) => ({ o: '[o0]', i: '[il1|]' })[letter] ?? letter).join(`${APART}{0,3}`);
/** Its last letter also as the sigma that is written as a `c`. */
const NEXUS = spaced('nexus').replace(/s$/, '[sc]');
/** No quote: between a name and an item of its list, or two items, is more than a part of it may show. */
const GO_ON = ['go', 'on', 'with', 'offset'].map(spaced).join('[^\\p{L}\\p{N}"]{0,8}');
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
  new RegExp(GO_ON, 'iu'),
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

/**
 * Whether a text, or any part of it that may be shown alone, could be taken for Nexus's own word. A part may begin at
 * any place, so it does not matter where that stands; and it may be shown as it is or as JSON reads it.
 */
export function soundsLikeNexus(text: string): boolean {
  return isInOneForm(text, isSaidByNexus);
}

function isSaidByNexus(form: string): boolean {
  const isSaid = (said: RegExp) => said.test(form);
  return SAID_BY_NEXUS.some(isSaid) || (isSaid(PART_OF_NAME) && SAID_BY_NAME.some(isSaid));
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

/** Whether a text sounds like Nexus, or speaks of it at all. */
export function mentionsNexus(text: string): boolean {
  return isInOneForm(text, (form) => OF_NEXUS.test(form) || isSaidByNexus(form));
}

function isInOneForm(text: string, isIt: (form: string) => boolean): boolean {
  if (isIt(inPlainLetters(asItLooks(text)))) return true;
  return asItIsRead(text).some((read) => isIt(inPlainLetters(read)));
}
