import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyDatabase, isSwept, type Migration, type Swept } from '@nexus/plugin-sdk';
import { createStore, measureDatabase, type OpenStore, sweepOnce } from '@nexus/store';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { type ColumnMetadata, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../plugins/bundled.ts';
import { openSchedules } from '../schedules/schedule-record.ts';
import { ownRetention } from './own-retention.ts';
import { retentionOf } from './start-sweeps.ts';

const DAY_MS = 86_400_000;
const top = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(join(top, 'docs/retention.md'), 'utf8');
const stated = retentionOf(bundled);

/** What the full text index of SQLite keeps beside its table. */
const OF_AN_INDEX = /^memory_search_/;

/** Every list of migrations that a module of ours has, by its file. */
async function allMigrations(): Promise<ReadonlyMap<string, readonly Migration[]>> {
  const found = new Map<string, readonly Migration[]>();
  for (const folder of ['packages', 'packages/plugins', 'apps']) {
    for (const name of readdirSync(join(top, folder))) {
      const src = join(top, folder, name, 'src');
      if (!existsSync(src)) continue;
      for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
        const path = join(src, file);
        if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
        if (!/^(?:export )?const \w+: readonly Migration\[\]/m.test(readFileSync(path, 'utf8'))) continue;
        const exported = Object.values((await import(path)) as Record<string, unknown>);
        found.set(path.slice(top.length), (exported.find(isMigrations) ?? []) as readonly Migration[]);
      }
    }
  }
  return found;
}

function isMigrations(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each?.up === 'function');
}

const binaries = findPostgres();
let postgres: PostgresServer | undefined;
let made: ReadonlyMap<string, readonly Migration[]>;
beforeAll(async () => {
  made = await allMigrations();
  postgres = binaries === undefined ? undefined : await startPostgres(binaries);
});
afterAll(() => postgres?.stop());

describe.each(binaries === undefined ? ['SQLite'] : ['SQLite', 'Postgres'])('every table on %s', (name) => {
  let aheadMs = 0;
  let dataDir: string;
  let store: OpenStore;
  let db: AnyDatabase;

  beforeEach(async () => {
    aheadMs = 0;
    dataDir = mkdtempSync(join(tmpdir(), 'nexus-tables-'));
    store = createStore({
      projectId: 'every-table',
      dataDir,
      databaseUrl: name === 'Postgres' ? await postgres?.createSchema() : undefined,
      testClock: () => Date.now() + aheadMs,
    });
    let at = 0;
    for (const migrations of made.values()) db = await store.open(`owner${at++}`, migrations);
    await openSchedules(store);
    // As a version before made it.
    await db.schema.createTable('jobs_jobs').addColumn('expires_at', 'bigint').execute();
    await sweepOnce({ store, retention: [] });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function tables(): Promise<string[]> {
    const { tables: all } = await measureDatabase(store, stated);
    return all.map(({ table }) => table).filter((table) => !OF_AN_INDEX.test(table));
  }

  it('is stated, and has its row on the page', async () => {
    const unknown = [...made].flatMap(([file, migrations]) => (migrations.length === 0 ? [file] : []));
    expect(unknown).toEqual(['apps/nexus/src/schedules/schedule-record.ts']);
    const named = stated.flatMap((each) => [
      each.table,
      ...(isSwept(each) ? (each.parts ?? []).map(({ table }) => table) : []),
    ]);
    const there = await tables();
    expect(there.length).toBeGreaterThan(25);
    expect(there.filter((table) => !named.includes(table))).toEqual([]);
    // It has asked each for its oldest row, by the column that is stated.
    expect(there.filter((table) => !page.includes(`\`${table}\``))).toEqual([]);
    expect(named.filter((table) => !there.includes(table))).toEqual(
      name === 'SQLite' ? ['nexus_project'] : [],
    );
  });

  // What plugins state has conditions of its own; sweep-plugins.test.ts has those.
  it.each(ownRetention.filter(isSwept))(
    'that is nobody’s plugin’s goes by its age: $table',
    async (swept) => {
      await add(swept);
      aheadMs = (swept.days - 1) * DAY_MS;
      await sweepNow();
      expect(await sizeOf(swept)).toMatchObject({ rows: 1, oldestAt: expect.any(Number) });
      aheadMs = (swept.days + 1) * DAY_MS;
      await sweepNow();
      expect(await sizeOf(swept)).toMatchObject({ rows: 0 });
    },
  );

  async function sweepNow(): Promise<void> {
    await db.updateTable('sweeps_done').set({ at: 0 }).execute();
    await sweepOnce({ store, retention: stated });
  }

  async function sizeOf({ table }: Swept) {
    const { tables: all } = await measureDatabase(store, stated);
    return all.find((each) => each.table === table);
  }

  /** A row of now: whatever its columns take. */
  async function add({ table, age }: Swept): Promise<void> {
    const columns = (await db.introspection.getTables()).find((each) => each.name === table)?.columns ?? [];
    const values = columns.flatMap((column) =>
      column.isAutoIncrementing ? [] : [[column.name, some(column)]],
    );
    await db
      .insertInto(table)
      .values({ ...Object.fromEntries(values), [age]: Date.now() })
      .execute();
    const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db);
    expect(rows).toHaveLength(1);
  }
});

function some({ dataType }: ColumnMetadata): string | number {
  return /text|char/i.test(dataType) ? 'x' : 1;
}

it('the page says how long each is kept as the sweeper has it', () => {
  for (const each of stated) {
    if (!isSwept(each)) continue;
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${each.table}\` |`));
    const days = each.days === 0 ? 'at once' : `${each.days.toLocaleString('en').replace(',', ' ')} day`;
    expect([each.table, rows.some((row) => row.includes(days))]).toEqual([each.table, true]);
  }
});
