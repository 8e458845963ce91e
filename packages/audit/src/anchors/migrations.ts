import type { Migration } from '@nexus/plugin-sdk';

export const migrations: readonly Migration[] = [
  {
    name: '0001-checkpoints',
    async up(db) {
      await db.schema
        .createTable('audit_checkpoints')
        .addColumn('origin', 'text', (column) => column.notNull())
        .addColumn('number', 'integer', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('verifier', 'text', (column) => column.notNull())
        .addColumn('at', 'double precision', (column) => column.notNull())
        .addPrimaryKeyConstraint('audit_checkpoints_key', ['origin', 'number'])
        .execute();
    },
  },
];
