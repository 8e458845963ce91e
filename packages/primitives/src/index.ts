export { bytesUpTo } from './bytes-up-to.ts';
export { canonicalJson } from './canonical-json.ts';
export { circlesOf, leadsTo } from './circles.ts';
export { cutEnd, cutEndCounted, cutMiddle } from './cut-text.ts';
export { isInside } from './is-inside.ts';
export { joinSignals } from './join-signals.ts';
export { boundsFault } from './json-bounds.ts';
export { type InTurn, oneByOne } from './one-by-one.ts';
export { parseInTurns } from './parse-in-turns.ts';
export { focusOf, isExact, pathTo } from './picking/focus.ts';
export { joinSplitJson, type Part, type PartWanted, partOf, readResult, wholeOf } from './picking/part-of.ts';
export { pathFault } from './picking/pick.ts';
export {
  type FileBytes,
  readBytes,
  readBytesSync,
  readTextSync,
  type Unreadable,
  UnreadableFileError,
} from './read-bytes.ts';
export { type Fenced, readTextInside } from './read-text-inside.ts';
export { roundedNumbers } from './rounded-numbers.ts';
export { signalWithin } from './signal-within.ts';
export { createTokenBucket, type TokenBucket } from './token-bucket.ts';
export { untilAborted } from './until-aborted.ts';
export {
  visibleContent,
  visibleJson,
  visibleLine,
  visibleName,
  visibleStart,
  visibleText,
  visibleWord,
} from './visible.ts';
