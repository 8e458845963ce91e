import { asItIsRead, asItLooks, lettersLike } from './as-it-looks.ts';

const NEXUS = lettersLike('nexus');
const [GO, ON, WITH, OFFSET, CUT] = ['go', 'on', 'with', 'offset', 'cut'].map(lettersLike);
const BRACKET = '[[【〔❲⟦⁅]';
const COLON = '[:∶꞉ː։]';

/**
 * What Nexus alone says: that something is cut, where it goes on, where the whole is kept, what it did, and its own
 * errors. Each reads a text once, wherever it stands.
 */
const SAID_BY_NEXUS: readonly RegExp[] = [
  new RegExp(`${BRACKET}\\s{0,20}(?:\\.{3}|⋯)[\\s\\d]`, 'u'),
  new RegExp(`${GO}\\W{1,8}${ON}\\W{1,8}${WITH}\\W{1,8}${OFFSET}`, 'iu'),
  new RegExp(`${NEXUS}${COLON}\\/\\/`, 'iu'),
  new RegExp(`${NEXUS}\\/${CUT}`, 'iu'),
  new RegExp(`${BRACKET}\\W{0,4}${NEXUS}(?![\\p{L}\\p{N}_])`, 'iu'),
  new RegExp(`(?<![\\p{L}\\p{N}_])${NEXUS}\\s{0,20}${COLON}`, 'iu'),
  new RegExp(`${NEXUS}_[a-z_]{1,40}\\s{0,20}${COLON}`, 'iu'),
  new RegExp(`${lettersLike('NEXUS')}_[A-Z]`, 'u'),
];
/** In an error, which is short and believed, any word of Nexus is one too many. */
const OF_NEXUS = new RegExp(`${NEXUS}|correlationid`, 'iu');

/**
 * Whether a text, or any part of it that may be shown alone, could be taken for Nexus's own word. A part may begin at
 * any place, so it does not matter where that stands; and it may be shown as it is or as JSON reads it.
 */
export function soundsLikeNexus(text: string): boolean {
  return isInOneForm(text, (form) => SAID_BY_NEXUS.some((said) => said.test(form)));
}

/** Under which Nexus serves what is its own, in whatever letters that look like it and whatever is before it. */
const OWN_SCHEME = new RegExp(`^[^\\p{L}\\p{N}]{0,20}${NEXUS}\\s{0,20}${COLON}`, 'iu');

/** Whether a URI, or a template of one, could be taken for one of Nexus's own. */
export function looksLikeOwnUri(uri: string): boolean {
  return isInOneForm(uri, (form) => OWN_SCHEME.test(form));
}

/** Whether a text speaks of Nexus at all. */
export function mentionsNexus(text: string): boolean {
  return isInOneForm(text, (form) => OF_NEXUS.test(form));
}

function isInOneForm(text: string, isIt: (form: string) => boolean): boolean {
  return isIt(asItLooks(text)) || (text.includes('\\') && isIt(asItIsRead(text)));
}
