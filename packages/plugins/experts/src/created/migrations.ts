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
];
