import type { Migration } from '@nexus/plugin-sdk';

export interface CounterTables {
  counter_totals: { total: number };
  counter_events: { process: number; number: number };
}

/** Run twice, the second step would leave two totals, and the first would fail. */
export const counterMigrations: readonly Migration[] = [
  {
    name: '0001-totals',
    up: (db) => db.schema.createTable('counter_totals').addColumn('total', 'bigint').execute(),
  },
  {
    name: '0002-first-total',
    up: async (db) => {
      await db.insertInto('counter_totals').values({ total: 0 }).execute();
    },
  },
  {
    name: '0003-events',
    up: (db) =>
      db.schema
        .createTable('counter_events')
        .addColumn('process', 'bigint')
        .addColumn('number', 'bigint')
        .execute(),
  },
];
