import { CALL, JOB_KIND } from './job-kind.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import { startKey } from './start-key.ts';
import { stepKey } from './step-key.ts';
import type { RunRow } from './tables.ts';

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

/** Those of whatever kind that are still open. A key is its user's own: another's by the same words is not the job's. */
export async function openBegunBy(
  trx: RunTransaction,
  { id, user_id }: Pick<RunRow, 'id' | 'user_id'>,
): Promise<string[]> {
  const found = await trx
    .selectFrom('runs_runs')
    .select('id')
    .where('start_key', 'like', `%"${stepKey(id, CALL)}"%`)
    .where('user_id', 'is not distinct from', user_id)
    .where('status', 'not in', ENDED)
    .execute();
  return found.map(({ id }) => id);
}

/** The job that waits for a family, which its call has begun; undefined where none does. */
export async function jobOf(
  { db }: { readonly db: RunDatabase['db'] | RunTransaction },
  { root_id: rootId }: Pick<RunRow, 'root_id'>,
): Promise<RunRow | undefined> {
  const root = await db
    .selectFrom('runs_runs')
    .select(['start_key', 'user_id'])
    .where('id', '=', rootId)
    .executeTakeFirst();
  if (!root?.start_key) return undefined;
  const { start_key: key, user_id } = root;
  const open = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('kind', '=', JOB_KIND)
    .where('user_id', 'is not distinct from', user_id)
    .where('status', 'not in', ENDED)
    .execute();
  return open.find(({ id }) => key.includes(`"${stepKey(id, CALL)}"`));
}
