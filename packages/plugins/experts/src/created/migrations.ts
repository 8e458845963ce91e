import type { Migration } from '@nexus/plugin-sdk';

export const migrations: readonly Migration[] = [
  {
    name: '0001-created',
    up: (db) =>
      db.schema
        .createTable('experts_created')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('model', 'text')
        .addColumn('instructions', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute(),
  },
  {
    name: '0002-used',
    async up(db) {
      await db.schema.alterTable('experts_created').addColumn('used_at', 'bigint').execute();
      await db
        .updateTable('experts_created')
        .set(({ ref }) => ({ used_at: ref('created_at') }))
        .execute();
    },
  },
  {
    // Those of before are the server's own user's.
    name: '0003-owner',
    up: (db) => db.schema.alterTable('experts_created').addColumn('owner', 'text').execute(),
  },
];
