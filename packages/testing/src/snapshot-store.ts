import { createHash } from 'node:crypto';
import type { AnyDatabase, Store } from '@nexus/plugin-sdk';
import { sql } from 'kysely';

/** Tables that a process writes for itself, whoever calls what. */
const OWN: ReadonlySet<string> = new Set([
  'runs_workers',
  'nexus_migrations',
  'nexus_project',
  'sweeps_done',
]);

/** What the full text index keeps beside its table. */
const OF_AN_INDEX = /_search(?:_|$)/;

/**
 * Every table of a store with the hash of its rows, so that any change shows as a difference.
 * @param options.withTimes whether a moment that moved on (`…_at`) is one, too
 */
export async function snapshotStore(
  store: Store,
  { withTimes }: { readonly withTimes: boolean },
): Promise<Record<string, string>> {
  const db = await store.open<AnyDatabase>('snapshot', []);
  const { rows: tables } = await (store.dialect === 'sqlite'
    ? sql<{
        name: string;
      }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`
    : sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`
  ).execute(db);
  const hashed: [string, string][] = [];
  for (const { name } of tables) {
    if (OWN.has(name) || OF_AN_INDEX.test(name)) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    // A table that is made by who looks first is no change.
    if (rows.length === 0) continue;
    const lines = rows.map((row) => JSON.stringify(withTimes ? row : timeless(row))).sort();
    hashed.push([name, createHash('sha256').update(lines.join('\n')).digest('hex')]);
  }
  return Object.fromEntries(hashed);
}

function timeless(row: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(row).filter(([column]) => !column.endsWith('_at'));
}
