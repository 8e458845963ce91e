import type { Known, KnownOnRecord } from '@nexus/core';
import { sql } from 'kysely';
import type { RunTransaction } from './run-database.ts';

/** What the family of a run has come to know, on record with its first run. */
export function knownOf({ db }: { readonly db: RunTransaction }, runId: string): KnownOnRecord {
  return {
    async read() {
      const row = await db
        .selectFrom('runs_runs as run')
        .innerJoin('runs_runs as root', 'root.id', 'run.root_id')
        .select(['root.untrusted_by', 'root.private_by'])
        .where('run.id', '=', runId)
        .executeTakeFirst();
      return { untrusted: row?.untrusted_by ?? undefined, private: row?.private_by ?? undefined };
    },
    add: (known) => addKnown(db, runId, known),
  };
}

/** It only grows: who came first stays. */
async function addKnown(db: RunTransaction, runId: string, known: Known): Promise<void> {
  await db
    .updateTable('runs_runs')
    .set({
      untrusted_by: sql`coalesce(untrusted_by, ${known.untrusted ?? null})`,
      private_by: sql`coalesce(private_by, ${known.private ?? null})`,
    })
    .where('id', '=', (eb) =>
      eb.selectFrom('runs_runs as run').select('run.root_id').where('run.id', '=', runId),
    )
    .execute();
}

/** What is kept of another run was made from what that one's family knew. */
export async function keepKnown(
  trx: RunTransaction,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await addKnown(trx, to, await knownOf({ db: trx }, from).read());
}
