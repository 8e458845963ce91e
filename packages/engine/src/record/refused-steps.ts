import { readError } from './errors.ts';
import type { RunRow, StepRow } from './tables.ts';

/**
 * The steps whose answer a run refused once they were done, and failed by: `detail.refusedStep` of its error is the name
 * of the step, or of the conversation whose steps have names that begin so.
 */
export function refusedSteps({ error }: Pick<RunRow, 'error'>, steps: readonly StepRow[]): StepRow[] {
  const refused = readError(error)?.detail?.refusedStep;
  if (typeof refused !== 'string') return [];
  return steps.filter(({ name }) => name === refused || name.startsWith(`${refused} `));
}
