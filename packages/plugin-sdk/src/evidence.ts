// What stands behind an answer: the places and words that it names, and what was called for it.
export { markClaimsToHaveRun } from './models/claims-to-have-run.ts';
export { calledText, speaksOfRunning } from './models/what-was-called.ts';
export { compact, findQuote, type Lines } from './named/find-quote.ts';
export { findWords } from './named/find-words.ts';
export type { Window } from './named/look-up-names.ts';
export { quotedPlaces, saysWords } from './named/quoted-places.ts';
export {
  collapsed,
  FENCE,
  MAX_SAID_LINE_CHARS,
  placesSaidIn,
  type SaidPlace,
} from './named/said-places.ts';
export { namesAnother } from './named/seen-lines.ts';
