import { readError } from './errors.ts';
import { isOfUnknownOutcome, isUnknown } from './kept-steps.ts';
import type { RunTransaction } from './run-database.ts';
import type { StepRow } from './tables.ts';

const UNKNOWN = 'NEXUS_OUTCOME_UNKNOWN';
/** More would be no text that anybody reads; the record has them all. */
const MOST_TOLD = 20;

/**
 * The error that a run ends with, where that is of unknown outcome: it tells of all of its steps that are, and not of
 * the one alone that ended it. Whoever has the run go on after that has looked at what it says, and all of them are done
 * again. So is a run that failed by its own error once it was told of such a step, and did nothing more: whoever went
 * by that error, such as a step that began the run and tries again, would do the step twice.
 */
export async function withAllUnknown(
  trx: RunTransaction,
  runId: string,
  error: string | null,
): Promise<string | null> {
  const told = readError(error);
  if (!told) return error;
  const failed = await trx
    .selectFrom('runs_steps')
    .select(['status', 'error', 'end_seq'])
    .where('run_id', '=', runId)
    .where('status', '=', 'failed')
    .orderBy('begin_seq')
    .execute();
  if (!isUnknown(error) && !(await failedByUnknown(trx, runId, failed))) return error;
  const messages = failed.flatMap((step) =>
    isUnknown(step.error) ? (readError(step.error)?.message ?? []) : [],
  );
  const untold = [...new Set(messages)].filter((message) => !told.message.includes(message));
  if (untold.length === 0) return error;
  const more = untold.length - MOST_TOLD;
  const rest = more > 0 ? [`So it is with ${more} more of its steps: nexus://runs/${runId} lists them.`] : [];
  const message = [told.message, ...untold.slice(0, MOST_TOLD), ...rest].join(' ');
  const text = JSON.stringify({ ...told, code: UNKNOWN, message });
  await trx.updateTable('runs_runs').set({ error: text }).where('id', '=', runId).execute();
  return text;
}

/** Whether the last that a run was told of is a step of unknown outcome: what it did after that, it did in spite of it. */
async function failedByUnknown(
  trx: RunTransaction,
  runId: string,
  failed: readonly Pick<StepRow, 'status' | 'error' | 'end_seq'>[],
): Promise<boolean> {
  const told = failed.filter(isOfUnknownOutcome).flatMap(({ end_seq }) => end_seq ?? []);
  if (told.length === 0) return false;
  const after = await trx
    .selectFrom('runs_steps')
    .select('name')
    .where('run_id', '=', runId)
    .where('begin_seq', '>', Math.max(...told))
    .where('kind', 'not in', ['value', 'event'])
    .limit(1)
    .executeTakeFirst();
  return after === undefined;
}
