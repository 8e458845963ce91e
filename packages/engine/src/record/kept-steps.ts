import { readError } from './errors.ts';
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
export const stoodWell: KeepRule = (steps) => {
  // One without an end, such as a child that ended with the run, never came to the run's knowledge.
  const failures = steps.flatMap(({ status, end_seq }) => (status === 'failed' ? (end_seq ?? []) : []));
  const firstKnown = Math.min(Number.POSITIVE_INFINITY, ...failures);
  return ({ status, begin_seq }) => status === 'completed' && begin_seq < firstKnown;
};

/** All that a run has come to, in whatever order; also what a child or a person has answered, and it took no note of yet. */
export const ended: KeepRule =
  () =>
  ({ end_seq, status }) =>
    end_seq !== null || status === 'completed';

/**
 * Also what may have been done and must not be done twice: it fails the run again, so that somebody looks at its effect
 * before it is done again.
 */
export function withUnknown(rule: KeepRule): KeepRule {
  return (steps) => {
    const isKept = rule(steps);
    return (step) => isKept(step) || isOfUnknownOutcome(step);
  };
}

/** By which a run goes on that a step is to have the answer of, once it is done again. */
export function goingOnBy({ status }: Pick<RunRow, 'status'>, wasTold: boolean): KeepRule {
  // Who was told that nobody knows, and has it done again, has looked.
  if (wasTold) return stoodWell;
  return withUnknown(status === 'failed' ? stoodWell : ended);
}

/** By which a run goes on for whoever takes it up by its id. */
export function takeUpBy({ error }: Pick<RunRow, 'error'>): KeepRule {
  return isUnknown(error) ? stoodWell : withUnknown(stoodWell);
}

export function isOfUnknownOutcome({ status, error }: Pick<StepRow, 'status' | 'error'>): boolean {
  return status === 'failed' && isUnknown(error);
}

/** Whether a run that goes on has yet to be told of a step that nobody knows its outcome. */
export function isUntold(step: Pick<StepRow, 'kind' | 'status' | 'error' | 'end_seq'>): boolean {
  return step.kind === 'step' && step.end_seq === null && isOfUnknownOutcome(step);
}

export function isUnknown(error: string | null): boolean {
  return readError(error)?.code === 'NEXUS_OUTCOME_UNKNOWN';
}
