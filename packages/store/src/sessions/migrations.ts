import type { Migration } from '@nexus/plugin-sdk';

export interface SessionTables {
  sessions_present: {
    id: string;
    /** The name that the server holds which serves it. */
    server: string;
    /** Epoch milliseconds: since when it is known that the name is free; null while it is not. */
    absent_since: number | null;
  };
}

export const migrations: readonly Migration[] = [
  {
    name: '0001-create-present',
    async up(db) {
      await db.schema
        .createTable('sessions_present')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('absent_since', 'bigint')
        .execute();
    },
  },
];
