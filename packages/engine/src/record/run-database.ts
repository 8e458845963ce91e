import type { RunStatus, Store } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { migrations } from './migrations.ts';
import type { RunTables } from './tables.ts';

/** The tables, or a transaction on them. */
export type RunTransaction = Kysely<RunTables>;

/** What reads and writes the record: the tables, and the database's clock. */
export interface RunDatabase {
  readonly db: Kysely<RunTables>;
  readonly store: Store;
}

export const ENDED = ['completed', 'failed', 'cancelled'] as const satisfies readonly RunStatus[];

/** Where what happens to runs is told, so that whoever waits need not ask again and again. */
export const CHANNEL = 'runs';

export async function openRunDatabase(store: Store): Promise<RunDatabase> {
  return { db: await store.open<RunTables>('runs', migrations), store };
}

export function hasEnded(status: RunStatus): boolean {
  return ENDED.some((each) => each === status);
}
