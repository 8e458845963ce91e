import { readError } from './errors.ts';
import type { RunRow, StepRow } from './tables.ts';

/**
 * The steps whose answer a run refused once they were done, and failed by: `detail.refusedStep` of its error is the name
 * of the step, or of the conversation whose steps have names that begin so.
 */
export function refusedSteps({ error }: Pick<RunRow, 'error'>, steps: readonly StepRow[]): StepRow[] {
  return steps.filter(({ name }) => isRefused({ error }, name));
}

/** Whether a step's answer is one of those. */
function isRefused({ error }: Pick<RunRow, 'error'>, name: string): boolean {
  const refused = readError(error)?.detail?.refusedStep;
  return typeof refused === 'string' && (name === refused || name.startsWith(`${refused} `));
}

/** Of runs that go on from one another, the last first, those in which what a step came to is of use for one that goes on. */
export function untilRefused<Run extends Pick<RunRow, 'error'>>(
  before: readonly Run[],
  step: string,
): readonly Run[] {
  const at = before.findIndex((run) => isRefused(run, step));
  return at < 0 ? before : before.slice(0, at);
}
