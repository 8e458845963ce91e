import { readError } from './errors.ts';
import { refusedSteps } from './refused-steps.ts';
import type { RunRow, StepRow } from './tables.ts';

/** Which steps of a run stand when it is run again, by all that it has. */
export type KeepRule = (steps: readonly StepRow[]) => (step: StepRow) => boolean;

/** What had ended when a step began is all that it can have been made from. */
export function endedBefore(start: StepRow | undefined): KeepRule {
  return () =>
    ({ end_seq }) =>
      start !== undefined && end_seq !== null && end_seq < start.begin_seq;
}

/** What ended well and began before the run knew of any failure: the same, whatever comes of that one now. */
export const stoodWell: KeepRule = (steps) => stoodBefore(steps.filter(({ status }) => status === 'failed'));

function stoodBefore(failures: readonly StepRow[]): (step: StepRow) => boolean {
  // One without an end, such as a child that ended with the run, never came to the run's knowledge.
  const known = failures.flatMap(({ end_seq }) => end_seq ?? []);
  const firstKnown = Math.min(Number.POSITIVE_INFINITY, ...known);
  return ({ status, begin_seq }) => status === 'completed' && begin_seq < firstKnown;
}

/** All that a run has come to, in whatever order; also what a child or a person has answered, and it took no note of yet. */
const ended: KeepRule =
  () =>
  ({ end_seq, status }) =>
    end_seq !== null || status === 'completed';

/**
 * Also what may have been done and must not be done twice: it fails the run again, so that somebody looks at its effect
 * before it is done again. With it stands what the run knew of as it began such a step, failures too: else it would not
 * come to it again.
 */
export const stoodWellOrUnknown: KeepRule = (steps) => {
  const unknown = steps.filter(isOfUnknownOutcome);
  const lastBegun = Math.max(-1, ...unknown.map(({ begin_seq }) => begin_seq));
  const stands = (step: StepRow) =>
    isOfUnknownOutcome(step) || (step.end_seq !== null && step.end_seq < lastBegun);
  const stoodWellBeside = stoodBefore(steps.filter((step) => step.status === 'failed' && !stands(step)));
  return (step) => stands(step) || stoodWellBeside(step);
};

/** All that a run has come to, and what nobody knows the outcome of. */
export const endedOrUnknown: KeepRule = (steps) => {
  const isKept = ended(steps);
  return (step) => isKept(step) || isOfUnknownOutcome(step);
};

/**
 * As {@link stoodWellOrUnknown}, without an answer that the run refused, and failed by, and what it began once it had that
 * answer.
 */
function stoodBeforeRefused(run: Pick<RunRow, 'error'>): KeepRule {
  return (steps) => {
    const isKept = stoodWellOrUnknown(steps);
    const refused = refusedSteps(run, steps);
    if (refused.length === 0) return isKept;
    const known = Math.max(...refused.map(({ end_seq }) => end_seq ?? Number.POSITIVE_INFINITY));
    return (step) =>
      isOfUnknownOutcome(step) || (isKept(step) && step.begin_seq < known && !refused.includes(step));
  };
}

/** By which a run goes on that a step is to have the answer of, once it is done again. */
export function goingOnBy(run: Pick<RunRow, 'status' | 'error'>, wasTold: boolean): KeepRule {
  // Who was told that nobody knows, and has it done again, has looked.
  if (wasTold) return stoodWell;
  return run.status === 'failed' ? stoodBeforeRefused(run) : endedOrUnknown;
}

/** By which a run goes on for whoever takes it up by its id. */
export function takeUpBy(run: Pick<RunRow, 'error'>): KeepRule {
  return isUnknown(run.error) ? stoodWell : stoodBeforeRefused(run);
}

export function isOfUnknownOutcome({ status, error }: Pick<StepRow, 'status' | 'error'>): boolean {
  return status === 'failed' && isUnknown(error);
}

/** Whether a run has yet to be told that nobody knows the outcome of a step: its place in the run's order is the last. */
export function isUntold(step: Pick<StepRow, 'status' | 'error' | 'end_seq'>): boolean {
  return step.end_seq === null && isOfUnknownOutcome(step);
}

export function isUnknown(error: string | null): boolean {
  return readError(error)?.code === 'NEXUS_OUTCOME_UNKNOWN';
}

/** Whether its end was handed to somebody who asked for it. */
export function isTold({ told_at: at }: Pick<RunRow, 'told_at'>): boolean {
  return at !== null && at !== undefined;
}
