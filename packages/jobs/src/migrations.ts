import type { Migration } from '@nexus/plugin-sdk';

export const migrations: readonly Migration[] = [
  {
    name: '0001-jobs',
    async up(db) {
      await db.schema
        .createTable('jobs_jobs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('arguments', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text', (column) => column.notNull())
        .addColumn('idempotency_key', 'text')
        .addColumn('may_run_twice', 'integer', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('status_message', 'text')
        .addColumn('ending', 'text')
        .addColumn('server_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('jobs_jobs_key', ['tool', 'idempotency_key'])
        .execute();
      await db.schema
        .createIndex('jobs_jobs_session')
        .on('jobs_jobs')
        .columns(['session_id', 'created_at'])
        .execute();
      await db.schema
        .createIndex('jobs_jobs_status')
        .on('jobs_jobs')
        .columns(['status', 'expires_at'])
        .execute();
      await db.schema
        .createTable('jobs_servers')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('host', 'text', (column) => column.notNull())
        .addColumn('pid', 'bigint', (column) => column.notNull())
        .addColumn('heartbeat_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
];
