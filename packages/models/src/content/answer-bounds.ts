import { ModelFailure } from '../failure.ts';

/** Of one answer, its arguments for tools included: several times what any model can say at once. */
export const MAX_ANSWER_CHARS = 4_000_000;
/** Of one line, in which an answer comes: providers repeat the whole answer in the last one. */
export const MAX_LINE = 4_000_000;
/** Of the arguments of one call; no tool takes more than some dozens. */
export const MAX_ARGUMENT_MEMBERS = 10_000;

/** The failure of a model, or of what stands in its place, that says more than can be read. */
export function tooLong(most: number, what: string): ModelFailure {
  return new ModelFailure('rejected', `it answered with more than ${most} ${what}`);
}
