import { readError } from '../record/errors.ts';
import type { StepRow } from '../record/tables.ts';

/** What of a run stands when it is run again. */
export interface Kept {
  isKept(step: StepRow): boolean;
  /** Whether a child that had not ended, since it was ended with the run, goes on with what it had done. */
  mayGoOn(step: StepRow): boolean;
}

export type KeepRule = (steps: readonly StepRow[]) => Kept;

/** What had ended when a step began is all that it can have been made from. */
export function endedBefore(start: StepRow | undefined): KeepRule {
  return () => ({
    isKept: ({ end_seq }) => start !== undefined && end_seq !== null && end_seq < start.begin_seq,
    mayGoOn: () => false,
  });
}

/** What ended well and began before the run knew of any failure: the same, whatever comes of that one now. */
export const stoodWell: KeepRule = (steps) => {
  // One without an end, such as a child that ended with the run, never came to the run's knowledge.
  const failures = steps.flatMap(({ status, end_seq }) => (status === 'failed' ? (end_seq ?? []) : []));
  const firstKnown = Math.min(Number.POSITIVE_INFINITY, ...failures);
  return {
    isKept: ({ status, begin_seq }) => status === 'completed' && begin_seq < firstKnown,
    mayGoOn: (step) => isOpenChild(step) && step.begin_seq < firstKnown,
  };
};

/**
 * Also what may have been done and must not be done twice: it fails the run again, so that somebody looks at its effect
 * before it is done again.
 */
export function withUnknown(rule: KeepRule): KeepRule {
  return (steps) => {
    const { isKept, mayGoOn } = rule(steps);
    return { isKept: (step) => isKept(step) || isOfUnknownOutcome(step), mayGoOn };
  };
}

function isOfUnknownOutcome({ status, error }: StepRow): boolean {
  return status === 'failed' && readError(error)?.code === 'NEXUS_OUTCOME_UNKNOWN';
}

/** All that a run has come to, in whatever order. */
export const ended: KeepRule = () => ({ isKept: ({ end_seq }) => end_seq !== null, mayGoOn: isOpenChild });

function isOpenChild({ kind, end_seq }: StepRow): boolean {
  return kind === 'child' && end_seq === null;
}
