import { sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';

/** The right to write a run: whoever claimed it last has it, until it ends or is freed. */
export interface RunToken {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** The run is another's by now, or has ended: what was to be written was not. */
export class LostRun extends Error {
  constructor({ runId, epoch }: RunToken) {
    super(`run ${runId} is no longer this process's (epoch ${epoch})`);
    this.name = 'LostRun';
  }
}

/**
 * One transaction that a run's owner alone can make. The run's row is changed first, which on Postgres locks
 * out a claim until the commit.
 * @throws {LostRun}
 */
export function asOwner<Result>(
  on: RunDatabase,
  token: RunToken,
  change: { readonly run?: RunChange; work(trx: RunTransaction): Promise<Result> },
): Promise<Result> {
  return on.db.transaction().execute(async (trx) => {
    const { message, grown } = change.run ?? {};
    const { numAffectedRows } =
      message !== undefined
        ? await touch.message(trx, on, { ...token, message })
        : grown !== undefined
          ? await touch.advanced(trx, on, { ...token, grown })
          : await touch.alone(trx, on, token);
    if (numAffectedRows === 0n) throw new LostRun(token);
    return change.work(trx);
  });
}

/** What a write changes of the run's own row, beside the time. */
export interface RunChange {
  /** It got a step further, and keeps so many characters more. */
  readonly grown?: number;
  readonly message?: string;
}

/** Where the run is still the token's. */
const owned = (db: RunTransaction, slot: <Name extends keyof RunToken>(name: Name) => RunToken[Name]) =>
  db
    .updateTable('runs_runs')
    .where('id', '=', slot('runId'))
    .where('owner', '=', slot('owner'))
    .where('epoch', '=', slot('epoch'))
    .where('status', '=', 'running');

const touch = {
  alone: prepared<RunToken>((db, slot, { store }) => owned(db, slot).set({ updated_at: store.now })),
  advanced: prepared<RunToken & { grown: number }>((db, slot, { store }) =>
    owned(db, slot).set({
      crashes: 0,
      bytes: sql<number>`bytes + ${slot('grown')}`,
      updated_at: store.now,
    }),
  ),
  message: prepared<RunToken & { message: string }>((db, slot, { store }) =>
    owned(db, slot).set({ message: slot('message'), updated_at: store.now }),
  ),
};
