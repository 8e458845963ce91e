import type { AnyDatabase, Retention, Store } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { tablesOf } from './sweep.ts';

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** Epoch milliseconds of the oldest row, where its retention names a time. */
  readonly oldestAt?: number;
}

/** How large a project's database is, and what fills it. */
export interface DatabaseSize {
  readonly bytes: number;
  /** Of them, what a sweep can give back. */
  readonly freeBytes: number;
  /** The fullest first. */
  readonly tables: readonly TableSize[];
}

export async function measureDatabase(store: Store, retention: readonly Retention[]): Promise<DatabaseSize> {
  const db: AnyDatabase = await store.open('doctor', []);
  const ages = new Map(
    retention.flatMap(({ table, age }) => (age === undefined ? [] : [[table, age] as const])),
  );
  const tables: TableSize[] = [];
  for (const table of await tablesOf(db, store.dialect)) {
    const age = ages.get(table);
    const oldest = age === undefined ? sql`null` : sql`min(${sql.ref(age)})`;
    const { rows } = await sql<{ n: number; oldest: number | null }>`
      select count(*) as n, ${oldest} as oldest from ${sql.table(table)}`.execute(db);
    const [found] = rows;
    const at = found?.oldest ?? undefined;
    tables.push({
      table,
      rows: Number(found?.n ?? 0),
      ...(at === undefined ? {} : { oldestAt: Number(at) }),
    });
  }
  return { ...(await bytesOf(db, store)), tables: tables.sort((a, b) => b.rows - a.rows) };
}

async function bytesOf(db: AnyDatabase, { dialect }: Store): Promise<{ bytes: number; freeBytes: number }> {
  if (dialect === 'postgres') {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0) as bytes
      from pg_tables where schemaname = current_schema()`.execute(db);
    return { bytes: Number(rows[0]?.bytes ?? 0), freeBytes: 0 };
  }
  const pragma = async (name: string) => {
    const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
    return Number(Object.values(rows[0] ?? {})[0] ?? 0);
  };
  const size = await pragma('page_size');
  const [pages, free] = [await pragma('page_count'), await pragma('freelist_count')];
  return { bytes: pages * size, freeBytes: free * size };
}
