import { type AnyDatabase, type Dialect, isSwept, type Retention, type Swept } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import type { OpenStore } from '../store.ts';

/** Over all servers of a project, one sweeps, and no oftener than this. */
export const SWEEP_EVERY_MS = 3_600_000;
/** In one transaction, so that nobody waits. */
const BATCH = 200;
const DAY_MS = 86_400_000;

/** What the config says in the place of what a plugin states, by table. */
export type RetentionSettings = Readonly<
  Record<string, { readonly days?: number | undefined; readonly rows?: number | undefined }>
>;

export interface Sweep {
  readonly store: OpenStore;
  readonly retention: readonly Retention[];
  readonly settings?: RetentionSettings;
}

/**
 * Takes the rows whose time is over, where no other server has done so lately.
 * @returns how many went, by table; undefined where it was another's turn
 */
export async function sweepOnce(sweep: Sweep): Promise<Readonly<Record<string, number>> | undefined> {
  const { store } = sweep;
  const db: AnyDatabase = await store.open('sweeps', [
    {
      name: '0001-sweeps',
      up: (trx) =>
        trx.schema
          .createTable('sweeps_done')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('at', 'bigint', (column) => column.notNull())
          .execute(),
    },
  ]);
  await db
    .insertInto('sweeps_done')
    .values({ id: 1, at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const mine = await db
    .updateTable('sweeps_done')
    .set({ at: store.now })
    .where('at', '<=', sql<number>`${store.now} - ${SWEEP_EVERY_MS}`)
    .returning('id')
    .executeTakeFirst();
  if (!mine) return undefined;
  const gone: Record<string, number> = {};
  const there = await tablesOf(db, store.dialect);
  for (const each of sweep.retention) {
    if (!isSwept(each) || !there.has(each.table)) continue;
    const parts = (each.parts ?? []).filter(({ table }) => there.has(table));
    const count = await sweepTable(db, sweep, { ...each, parts });
    if (count > 0) gone[each.table] = (gone[each.table] ?? 0) + count;
  }
  await store.shrink();
  return gone;
}

/** What is swept, with those of its parts that there are. */
type Sweepable = Swept & Required<Pick<Swept, 'parts'>>;

async function sweepTable(
  db: AnyDatabase,
  { store, settings = {} }: Sweep,
  swept: Sweepable,
): Promise<number> {
  const { days = swept.days, rows = swept.rows } = settings[swept.table] ?? {};
  const age = sql.ref(swept.age);
  const only = swept.only === undefined ? sql`1 = 1` : sql.raw(`(${swept.only})`);
  const from = sql.table(swept.table);
  let gone = 0;
  for (;;) {
    const old = sql`${age} <= ${store.now} - ${days * DAY_MS}`;
    const count = await takeBatch(db, store.dialect, { swept, where: sql`${only} and ${old}`, most: BATCH });
    gone += count;
    if (count < BATCH) break;
  }
  while (rows !== undefined) {
    const counted = await sql<{
      n: number;
    }>`select count(*) as n from ${from} where ${only} and ${age} is not null`.execute(db);
    const over = Number(counted.rows[0]?.n ?? 0) - rows;
    if (over <= 0) break;
    const most = Math.min(BATCH, over);
    const count = await takeBatch(db, store.dialect, {
      swept,
      where: sql`${only} and ${age} is not null`,
      most,
    });
    gone += count;
    if (count === 0) break;
  }
  return gone;
}

/** The oldest first, with their parts. */
function takeBatch(
  db: AnyDatabase,
  dialect: Dialect,
  { swept, where, most }: { swept: Sweepable; where: ReturnType<typeof sql>; most: number },
): Promise<number> {
  const isPostgres = dialect === 'postgres';
  const row = sql.raw(isPostgres ? 'ctid::text' : 'rowid');
  const { parts } = swept;
  const named = [...new Set(parts.map(({ of }) => of))].map((column) => sql`, ${sql.ref(column)}`);
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Record<string, unknown>>`
      select ${row} as "swept_row" ${sql.join(named, sql``)} from ${sql.table(swept.table)}
      where ${where} order by ${sql.ref(swept.age)} limit ${most}
      ${sql.raw(isPostgres ? 'for update skip locked' : '')}`.execute(trx);
    if (rows.length === 0) return 0;
    for (const { table, by, of } of parts) {
      const column = sql.ref(typeof by === 'string' ? by : by[dialect]);
      const values = sql.join(rows.map((each) => each[of]));
      await sql`delete from ${sql.table(table)} where ${column} in (${values})`.execute(trx);
    }
    const ids = sql.join(
      rows.map(({ swept_row }) => (isPostgres ? sql`${swept_row}::tid` : sql`${swept_row}`)),
    );
    await sql`delete from ${sql.table(swept.table)} where ${sql.raw(isPostgres ? 'ctid' : 'rowid')} in (${ids})`.execute(
      trx,
    );
    return rows.length;
  });
}

/** All that the project has. */
export async function tablesOf(db: AnyDatabase, dialect: Dialect): Promise<ReadonlySet<string>> {
  const { rows } =
    dialect === 'postgres'
      ? await sql<{
          name: string;
        }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
      : await sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
