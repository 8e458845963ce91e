import type { Known, KnownOnRecord } from '@nexus/core';
import { sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';

/** What the family of a run has come to know, on record with its first run. */
export function knownOf(on: RunDatabase, runId: string): KnownOnRecord {
  return {
    read: () => knownBy(on.db, on, runId),
    // No disk is waited for: what the answer leads to is on disk after this, or is done again from that answer on.
    add: (known) =>
      on.write(async (trx) => {
        await on.store.withoutDisk(trx);
        await addKnown(trx, on, { runId, ...known });
      }),
  };
}

async function knownBy(db: RunTransaction, on: RunDatabase, runId: string): Promise<Known> {
  const { rows } = await knownRow(db, on, { runId });
  const [row] = rows as { untrusted_by: string | null; private_by: string | null }[];
  return { untrusted: row?.untrusted_by ?? undefined, private: row?.private_by ?? undefined };
}

const knownRow = prepared<{ runId: string }>((db, slot) =>
  db
    .selectFrom('runs_runs as run')
    .innerJoin('runs_runs as root', 'root.id', 'run.root_id')
    .select(['root.untrusted_by', 'root.private_by'])
    .where('run.id', '=', slot('runId')),
);

/** It only grows: who came first stays. */
async function addKnown(
  trx: RunTransaction,
  on: RunDatabase,
  { runId, ...known }: Known & { readonly runId: string },
): Promise<void> {
  await addToRow(trx, on, {
    runId,
    untrusted: known.untrusted ?? null,
    private: known.private ?? null,
  });
}

const addToRow = prepared<{ runId: string; untrusted: string | null; private: string | null }>((db, slot) =>
  db
    .updateTable('runs_runs')
    .set({
      untrusted_by: sql`coalesce(untrusted_by, ${slot('untrusted')})`,
      private_by: sql`coalesce(private_by, ${slot('private')})`,
    })
    .where('id', '=', (eb) =>
      eb.selectFrom('runs_runs as run').select('run.root_id').where('run.id', '=', slot('runId')),
    ),
);

/** What is kept of another run was made from what that one's family knew. */
export async function keepKnown(
  trx: RunTransaction,
  on: RunDatabase,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await addKnown(trx, on, { runId: to, ...(await knownBy(trx, on, from)) });
}
