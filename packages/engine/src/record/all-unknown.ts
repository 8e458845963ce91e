import { readError } from './errors.ts';
import { isUnknown } from './kept-steps.ts';
import type { RunTransaction } from './run-database.ts';

/** More would be no text that anybody reads; the record has them all. */
const MOST_TOLD = 20;

/**
 * The error that a run ends with, where that is of unknown outcome: it tells of all of its steps that are, and not of
 * the one alone that ended it. Whoever has the run go on after that has looked at what it says, and all of them are done
 * again.
 */
export async function withAllUnknown(
  trx: RunTransaction,
  runId: string,
  error: string | null,
): Promise<string | null> {
  const told = isUnknown(error) ? readError(error) : undefined;
  if (!told) return error;
  const failed = await trx
    .selectFrom('runs_steps')
    .select('error')
    .where('run_id', '=', runId)
    .where('status', '=', 'failed')
    .orderBy('begin_seq')
    .execute();
  const messages = failed.flatMap((step) =>
    isUnknown(step.error) ? (readError(step.error)?.message ?? []) : [],
  );
  const untold = [...new Set(messages)].filter((message) => !told.message.includes(message));
  if (untold.length === 0) return error;
  const more = untold.length - MOST_TOLD;
  const rest = more > 0 ? [`So it is with ${more} more of its steps: nexus://runs/${runId} lists them.`] : [];
  const message = [told.message, ...untold.slice(0, MOST_TOLD), ...rest].join(' ');
  const text = JSON.stringify({ ...told, message });
  await trx.updateTable('runs_runs').set({ error: text }).where('id', '=', runId).execute();
  return text;
}
