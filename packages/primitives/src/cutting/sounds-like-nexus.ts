import { asItIsRead, asItLooks } from './as-it-looks.ts';
import { inPlainLetters } from './letters-alike.ts';

const APART = '[^\\p{L}\\p{N}]';
/** The pattern of a word, also where its letters stand apart, and with the digits and the line that look like them. */
const spaced = (word: string) =>
  [...word].map((letter) => ({ o: '[o0]', i: '[il1|]' })[letter] ?? letter).join(`${APART}{0,3}`);
const NEXUS = spaced('nexus');
const GO_ON = ['go', 'on', 'with', 'offset'].map(spaced).join(`${APART}{0,8}`);
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
  new RegExp(`${BRACKET}${APART}{0,4}${NEXUS}`, 'iu'),
  new RegExp(`${NEXUS}\\s{0,20}${COLON}`, 'iu'),
  new RegExp(`${NEXUS}${LINE}[\\p{L}\\p{N}_ߺ]{1,40}\\s{0,20}${COLON}`, 'iu'),
  /[Nn][Ee][Xx][Uu][Ss][_ߺ]\p{Lu}/u,
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
  return isInOneForm(text, (form) => {
    const isSaid = (said: RegExp) => said.test(form);
    return SAID_BY_NEXUS.some(isSaid) || (isSaid(PART_OF_NAME) && SAID_BY_NAME.some(isSaid));
  });
}

/** Under which Nexus serves what is its own, in whatever letters that look like it and whatever is before it. */
const OWN_SCHEME = new RegExp(`^${APART}{0,20}${NEXUS}\\s{0,20}${COLON}`, 'iu');

/** Whether a URI, or a template of one, could be taken for one of Nexus's own. */
export function looksLikeOwnUri(uri: string): boolean {
  return isInOneForm(uri, (form) => OWN_SCHEME.test(form));
}

/** Whether a text speaks of Nexus at all. */
export function mentionsNexus(text: string): boolean {
  return isInOneForm(text, (form) => OF_NEXUS.test(form));
}

function isInOneForm(text: string, isIt: (form: string) => boolean): boolean {
  return (
    isIt(inPlainLetters(asItLooks(text))) || (/[\\&]/.test(text) && isIt(inPlainLetters(asItIsRead(text))))
  );
}
