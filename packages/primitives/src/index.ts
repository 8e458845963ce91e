export { BEYOND_BOUNDS } from './beyond-bounds.ts';
export { bytesUpTo } from './bytes-up-to.ts';
export { canonicalJson } from './canonical-json.ts';
export { circlesOf, leadsTo } from './circles.ts';
export { counted } from './counted.ts';
export { cutEnd, cutEndCounted, cutMiddle } from './cut-end.ts';
export { AnyText } from './cutting/any-text.ts';
export { asItLooks } from './cutting/as-it-looks.ts';
export { beginningOf } from './cutting/beginning-of.ts';
export { begunAlone } from './cutting/begun-alone.ts';
export { begunAnswer } from './cutting/begun-answer.ts';
export { begunText } from './cutting/begun-text.ts';
export { cutJson } from './cutting/cut-json.ts';
export { cutText } from './cutting/cut-text.ts';
export { fewerText } from './cutting/fewer.ts';
export { firstCharacters } from './cutting/first-characters.ts';
export { lengthUpTo } from './cutting/length-up-to.ts';
export { OWN_SENTENCES } from './cutting/own-sentences.ts';
export {
  apartFromAttribution,
  attributionTo,
  KEPT_RESULTS,
  OF_ITS_STEPS,
  OF_THEIR_SERVERS,
  UNKEPT,
} from './cutting/own-words.ts';
export { rowInRoom } from './cutting/row-in-room.ts';
export { shareOut } from './cutting/share-out.ts';
export { shrinkJson } from './cutting/shrink-json.ts';
export { looksLikeOwnUri, mentionsNexus, soundsLikeNexus } from './cutting/sounds-like-nexus.ts';
export { doubledKey } from './doubled-key.ts';
export { givenUpSearch } from './given-up-search.ts';
export { isHalf } from './is-half.ts';
export { isInside } from './is-inside.ts';
export { isOfGit } from './is-of-git.ts';
export { joinSignals } from './join-signals.ts';
export { boundsFault } from './json-bounds.ts';
export { type InTurn, oneByOne } from './one-by-one.ts';
export { parseInTurns } from './parse-in-turns.ts';
export { focusOf, isExact, pathTo } from './picking/focus.ts';
export { type Part, type PartWanted, partOf } from './picking/part-of.ts';
export { partOfResult } from './picking/part-of-result.ts';
export { type FittingPart, partThatFits } from './picking/part-that-fits.ts';
export { pathFault } from './picking/pick.ts';
export { joinSplitJson, readResult, wholeOf, writtenWholeOf } from './picking/whole-of.ts';
export {
  type FileBytes,
  readBytes,
  readBytesSync,
  readTextSync,
  type Unreadable,
  UnreadableFileError,
} from './read-bytes.ts';
export { type Fenced, readTextInside } from './read-text-inside.ts';
export { isRounded, roundedNumbers } from './rounded-numbers.ts';
export { signalWithin } from './signal-within.ts';
export { stableHash } from './stable-hash.ts';
export { createTokenBucket, type TokenBucket } from './token-bucket.ts';
export { untilAborted } from './until-aborted.ts';
export {
  visibleContent,
  visibleJson,
  visibleLine,
  visibleName,
  visibleStart,
  visibleText,
  visibleToolName,
  visibleWord,
} from './visible.ts';
export { ID_SORTS, type IdFault, type IdSort, idMeant, otherSort, startOfId } from './written-id.ts';
export { isWritten, parseUnrounded, parseWritten, writtenJson, writtenText } from './written-json.ts';
