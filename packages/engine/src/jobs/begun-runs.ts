import { CALL, JOB_KIND } from '../record/job-kind.ts';
import { ENDED, type RunDatabase } from '../record/run-database.ts';
import { startKey } from '../record/start-key.ts';
import { stepKey } from '../record/step-key.ts';
import type { RunRow } from '../record/tables.ts';

/**
 * The runs that the call of a job has begun, each under the key of the job's only step: they are nobody's
 * children, since they may go on after it.
 */
export async function begunRuns(
  { db }: RunDatabase,
  { id, user_id }: Pick<RunRow, 'id' | 'user_id'>,
  kinds: readonly string[],
): Promise<RunRow[]> {
  if (kinds.length === 0) return [];
  const key = stepKey(id, CALL);
  const keys = kinds.map((kind) => startKey([kind], key, user_id ?? undefined));
  return db.selectFrom('runs_runs').selectAll().where('start_key', 'in', keys).execute();
}

/** The job that waits for a family, which its call has begun; undefined where none does. */
export async function jobOf(
  { db }: RunDatabase,
  { root_id: rootId }: Pick<RunRow, 'root_id'>,
): Promise<RunRow | undefined> {
  const root = await db
    .selectFrom('runs_runs')
    .select('start_key')
    .where('id', '=', rootId)
    .executeTakeFirst();
  const key = root?.start_key;
  if (!key) return undefined;
  const open = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('kind', '=', JOB_KIND)
    .where('status', 'not in', ENDED)
    .execute();
  return open.find(({ id }) => key.includes(`"${stepKey(id, CALL)}"`));
}
