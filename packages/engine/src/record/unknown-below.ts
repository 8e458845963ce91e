import { isUnknown } from './kept-steps.ts';
import type { RunDatabase } from './run-database.ts';

/** The error of a run that a step's call has begun, and that ended as of unknown outcome and has not gone on since. */
export async function unknownBelow({ db }: RunDatabase, runId: string, step: string): Promise<string | null> {
  const begun = await db
    .selectFrom('runs_runs')
    .select('error')
    .where('parent_id', '=', runId)
    .where('parent_step', '=', step)
    .where('status', '=', 'failed')
    .where('goes_on_in', 'is', null)
    .execute();
  return begun.find(({ error }) => isUnknown(error))?.error ?? null;
}
