import type { RunDatabase, RunTransaction } from './run-database.ts';
import { startKey } from './start-key.ts';
import type { RunRow } from './tables.ts';

/*
 * Which run a call under a key has taken up. Made again, such as by the next server, the call is about that one: by the
 * run that it was asked to take up it would begin another.
 */

type Trx = RunDatabase['db'] | RunTransaction;

export function takeUpKey(runId: string, key: string, user: string | undefined): string {
  return startKey(['nexus.take-up', runId], key, user);
}

export function takenUpBy({ db }: { readonly db: Trx }, key: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('runs_runs')
    .selectAll()
    .where('id', 'in', db.selectFrom('runs_taken_up').select('run_id').where('key', '=', key))
    .executeTakeFirst();
}

export async function keepTakenUp(db: Trx, key: string, runId: string): Promise<void> {
  await db
    .insertInto('runs_taken_up')
    .values({ key, run_id: runId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
