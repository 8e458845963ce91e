import type { AnyDatabase, Store } from '@nexus/plugin-sdk';
import { sql } from 'kysely';

/** @param now the database's clock */
export async function readNow(db: AnyDatabase, now: Store['now']): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db);
  return (rows as [{ now: number }])[0].now;
}
