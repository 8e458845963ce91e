import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';

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
  { db, store }: RunDatabase,
  token: RunToken,
  change: { readonly run?: Partial<RunRow>; work(trx: RunTransaction): Promise<Result> },
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('runs_runs')
      .set({ ...change.run, updated_at: store.now })
      .where('id', '=', token.runId)
      .where('owner', '=', token.owner)
      .where('epoch', '=', token.epoch)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LostRun(token);
    return change.work(trx);
  });
}
