import { sql } from 'kysely';
import { prepared } from './prepared.ts';
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
 * What a run's owner writes. It may be made again, where it was undone or its answer was lost, and comes to
 * the same.
 */
export interface OwnerChange<Result = unknown> {
  /** The run got a step further, and keeps so many characters more. */
  readonly grown?: number;
  /** From then on the run is nobody's, or has ended: nothing of its owner's may follow. */
  readonly isLast?: boolean;
  /** Should a power cut take it, what it stands for is done again, and comes to the same: no disk is waited for. */
  readonly isSparable?: boolean;
  /** It is what work that was done came to: it is kept also of a run that is broken off. */
  readonly isOutcome?: boolean;
  /** It adds no event under the run's next number, which is the next one's then. */
  readonly isUnnumbered?: boolean;
  work(trx: RunTransaction): Promise<Result>;
}

/**
 * One transaction that a run's owner alone can make: all of the changes, in their order, or none. The run's row
 * is changed first, which on Postgres locks out a claim until the commit.
 * @throws {LostRun}
 */
export function asOwner(
  on: RunDatabase,
  token: RunToken,
  changes: readonly OwnerChange[],
): Promise<readonly unknown[]> {
  return on.write(async (trx) => {
    const grown = changes.flatMap((change) => change.grown ?? []);
    const { numAffectedRows } =
      grown.length > 0
        ? await touch.advanced(trx, on, { ...token, grown: grown.reduce((sum, each) => sum + each) })
        : await touch.alone(trx, on, token);
    if (numAffectedRows === 0n) throw new LostRun(token);
    if (changes.every(({ isSparable }) => isSparable)) await on.store.withoutDisk(trx);
    const results: unknown[] = [];
    for (const { work } of changes) results.push(await work(trx));
    return results;
  });
}

/** Locks the run's row until the transaction ends. @throws {LostRun} */
export async function holdRun(trx: RunTransaction, on: RunDatabase, token: RunToken): Promise<void> {
  const { numAffectedRows } = await touch.alone(trx, on, token);
  if (numAffectedRows === 0n) throw new LostRun(token);
}

/** How a run stands, and whose it is. */
export async function standingOf(
  on: RunDatabase,
  id: string,
): Promise<Pick<RunRow, 'status' | 'owner' | 'epoch'> | undefined> {
  const { rows } = await standing(on.db, on, { id });
  return (rows as Pick<RunRow, 'status' | 'owner' | 'epoch'>[])[0];
}

const standing = prepared<Pick<RunRow, 'id'>>((db, slot) =>
  db.selectFrom('runs_runs').select(['status', 'owner', 'epoch']).where('id', '=', slot('id')),
);

/** Puts what the run says of itself on record. @throws {LostRun} */
export async function saveMessage(on: RunDatabase, token: RunToken, message: string): Promise<void> {
  const { numAffectedRows } = await touch.message(on.db, on, { ...token, message });
  if (numAffectedRows === 0n) throw new LostRun(token);
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
      bytes: sql<number>`bytes + ${slot('grown')}`,
      updated_at: store.now,
    }),
  ),
  message: prepared<RunToken & { message: string }>((db, slot, { store }) =>
    owned(db, slot).set({ message: slot('message'), updated_at: store.now }),
  ),
};
