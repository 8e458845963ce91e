import type { Migration } from '@nexus/plugin-sdk';
import { searchTables } from './search/tables.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001-entries',
    async up(db, dialect) {
      await db.schema
        .createTable('memory_entries')
        .addColumn('id', dialect === 'postgres' ? 'bigserial' : 'integer', (column) => column.primaryKey())
        .addColumn('backend', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .addColumn('metadata', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('confidence', 'double precision', (column) => column.notNull())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('memory_entries_key', ['backend', 'scope', 'key'])
        .execute();
      await db.schema
        .createIndex('memory_entries_age')
        .on('memory_entries')
        .columns(['backend', 'updated_at'])
        .execute();
    },
  },
  {
    name: '0002-versions',
    up: (db) =>
      db.schema
        .createTable('memory_versions')
        .addColumn('entry_id', 'bigint', (column) => column.notNull().references('memory_entries.id'))
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('metadata', 'text', (column) => column.notNull())
        .addColumn('confidence', 'double precision', (column) => column.notNull())
        .addColumn('written_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('memory_versions_key', ['entry_id', 'version'])
        .execute(),
  },
  { name: '0003-search', up: searchTables },
  {
    name: '0004-newest',
    up: (db) =>
      db.schema
        .createIndex('memory_entries_newest')
        .on('memory_entries')
        .columns(['backend', 'type', 'updated_at'])
        .execute(),
  },
  {
    name: '0005-keys',
    up: (db) => db.schema.createIndex('memory_entries_keys').on('memory_entries').columns(['key']).execute(),
  },
];
