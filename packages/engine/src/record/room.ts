import { sql } from 'kysely';
import type { RunDatabase, RunTransaction } from './run-database.ts';

/**
 * A job carries a call, and what that begins is a run of its own: were jobs counted, each could keep out the run that
 * it waits for.
 */
export const isOfJob = sql<boolean>`substr(root_id, 1, 4) = 'job_'`;

/** How many more of the project's runs may go on, wherever: with all that is below it, a run counts as one. */
export async function projectRoom({ db }: { readonly db: RunTransaction }, most: number): Promise<number> {
  if (most === Number.POSITIVE_INFINITY) return most;
  const { going } = await db
    .selectFrom('runs_runs')
    .select(sql<number>`count(distinct root_id)`.as('going'))
    .where('status', '=', 'running')
    .where(sql<boolean>`not ${isOfJob}`)
    .executeTakeFirstOrThrow();
  return most - Number(going);
}

/** The same, and so it stays until the transaction is over. */
export async function lockedRoom(trx: RunTransaction, { store }: RunDatabase, most: number): Promise<number> {
  if (store.dialect === 'postgres' && most !== Number.POSITIVE_INFINITY) {
    await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ${'\nruns of a project'}, 0))`.execute(
      trx,
    );
  }
  return projectRoom({ db: trx }, most);
}
