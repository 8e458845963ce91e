import type { Migration } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { keysOfUsers } from './keys-of-users.ts';
import { takeJobsOver } from './take-jobs-over.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001-runs',
    async up(db) {
      await db.schema
        .createTable('runs_runs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('root_id', 'text', (column) => column.notNull())
        .addColumn('parent_id', 'text')
        .addColumn('parent_step', 'text')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text')
        .addColumn('user_id', 'text')
        .addColumn('start_key', 'text', (column) => column.unique())
        .addColumn('input', 'text')
        .addColumn('definition', 'text')
        .addColumn('rerun_of', 'text')
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('message', 'text')
        .addColumn('owner', 'text')
        .addColumn('epoch', 'integer', (column) => column.notNull())
        .addColumn('crashes', 'integer', (column) => column.notNull())
        .addColumn('wake_at', 'bigint')
        .addColumn('deadline_at', 'bigint')
        .addColumn('output', 'text')
        .addColumn('error', 'text')
        .addColumn('cap_tokens', 'bigint')
        .addColumn('cap_micros', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .addColumn('keep_ms', 'bigint', (column) => column.notNull())
        .execute();
      const index = (name: string, columns: string[]) =>
        db.schema.createIndex(`runs_runs_${name}`).on('runs_runs').columns(columns).execute();
      await index('status', ['status', 'wake_at']);
      await index('root', ['root_id']);
      await index('parent', ['parent_id']);
      await index('kind', ['kind', 'created_at']);
      await index('session', ['session_id', 'created_at']);
      await db.schema
        .createTable('runs_steps')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('attempt', 'integer', (column) => column.notNull())
        .addColumn('digest', 'text')
        .addColumn('is_repeatable', 'integer', (column) => column.notNull())
        .addColumn('output', 'text')
        .addColumn('error', 'text')
        .addColumn('begin_seq', 'integer', (column) => column.notNull())
        .addColumn('end_seq', 'integer')
        .addColumn('child_id', 'text')
        .addColumn('wake_at', 'bigint')
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addPrimaryKeyConstraint('runs_steps_key', ['run_id', 'name'])
        .execute();
      await db.schema
        .createTable('runs_events')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('seq', 'integer', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('step', 'text')
        .addColumn('attempt', 'integer')
        .addColumn('data', 'text')
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('runs_events_key', ['run_id', 'seq'])
        .execute();
      await db.schema
        .createTable('runs_questions')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('message', 'text')
        .addColumn('schema', 'text')
        .addColumn('subject', 'text')
        .addColumn('digest', 'text')
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addColumn('asked_at', 'bigint', (column) => column.notNull())
        .addColumn('answered_at', 'bigint')
        .addPrimaryKeyConstraint('runs_questions_key', ['run_id', 'name'])
        .execute();
      await db.schema
        .createTable('runs_spending')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('root_id', 'text', (column) => column.notNull())
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('step', 'text', (column) => column.notNull())
        .addColumn('tokens', 'bigint', (column) => column.notNull())
        .addColumn('micros', 'bigint', (column) => column.notNull())
        .addColumn('is_settled', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('runs_spending_root')
        .on('runs_spending')
        .columns(['root_id', 'run_id'])
        .execute();
      await db.schema
        .createTable('runs_blobs')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('runs_blobs_key', ['run_id', 'hash'])
        .execute();
      await db.schema
        .createTable('runs_workers')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('host', 'text', (column) => column.notNull())
        .addColumn('pid', 'bigint', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  { name: '0002-jobs-are-runs', up: takeJobsOver },
  {
    name: '0003-read-at',
    async up(db) {
      await db.schema.alterTable('runs_runs').addColumn('read_at', 'bigint').execute();
    },
  },
  { name: '0004-keys-of-users', up: keysOfUsers },
  {
    name: '0005-paid-answers',
    async up(db) {
      const add = (column: string, type: 'integer' | 'bigint') =>
        db.schema
          .alterTable('runs_spending')
          .addColumn(column, type, (each) => each.notNull().defaultTo(0))
          .execute();
      await add('epoch', 'integer');
      await add('input_tokens', 'bigint');
      await add('output_tokens', 'bigint');
      await add('cached_tokens', 'bigint');
      await add('is_unpriced', 'integer');
      await add('is_estimated', 'integer');
      await add('is_kept', 'integer');
      await db.schema.alterTable('runs_spending').addColumn('digest', 'text').execute();
      await db.schema.alterTable('runs_spending').addColumn('answer', 'text').execute();
    },
  },
  {
    name: '0006-turns',
    async up(db) {
      await db.schema.alterTable('runs_runs').addColumn('concurrency', 'text').execute();
      await db.schema
        .createTable('runs_turns')
        .addColumn('run_id', 'text', (column) => column.primaryKey())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('at_once', 'integer', (column) => column.notNull())
        .addColumn('seq', 'bigint', (column) => column.notNull())
        .addColumn('has_turn', 'integer', (column) => column.notNull())
        .addColumn('is_outrun', 'integer', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('runs_turns_key').on('runs_turns').columns(['key', 'seq']).execute();
    },
  },
  {
    name: '0007-families',
    async up(db) {
      await db.schema
        .alterTable('runs_runs')
        .addColumn('crash_steps', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      // Counted run by run until then: what killed is found again within a crash, and nobody ends for another's.
      await sql`update runs_runs set crashes = 0`.execute(db);
    },
  },
  {
    name: '0008-places',
    async up(db) {
      await db.schema.alterTable('runs_runs').addColumn('place', 'text').execute();
    },
  },
  {
    name: '0009-doubts',
    async up(db) {
      await db.schema
        .createTable('runs_doubts')
        .addColumn('root_id', 'text', (column) => column.notNull())
        .addColumn('worker', 'text', (column) => column.notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('runs_doubts_key', ['root_id', 'worker'])
        .execute();
    },
  },
  {
    name: '0010-inputs-of-steps',
    async up(db) {
      await db.schema.alterTable('runs_steps').addColumn('input', 'text').execute();
    },
  },
  {
    name: '0011-traces',
    async up(db) {
      await db.schema.alterTable('runs_runs').addColumn('trace', 'text').execute();
    },
  },
  {
    name: '0012-labels',
    async up(db) {
      for (const column of ['untrusted_by', 'private_by'])
        await db.schema.alterTable('runs_runs').addColumn(column, 'text').execute();
      await db.schema.alterTable('runs_questions').addColumn('step', 'text').execute();
    },
  },
  {
    name: '0013-pages-of-steps',
    async up(db) {
      await db.schema
        .createIndex('runs_steps_begun')
        .on('runs_steps')
        .columns(['run_id', 'begin_seq'])
        .execute();
    },
  },
  {
    name: '0014-roots',
    async up(db) {
      await db.schema.alterTable('runs_runs').addColumn('roots', 'text').execute();
    },
  },
  {
    name: '0015-interrupted-calls',
    async up(db) {
      await db.schema
        .alterTable('runs_spending')
        .addColumn('interrupted', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  {
    name: '0016-calls',
    async up(db) {
      await db.schema
        .createTable('runs_calls')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('step', 'text', (column) => column.notNull())
        .addColumn('nth', 'integer', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('input', 'text', (column) => column.notNull())
        .addColumn('answer', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('runs_calls_key', ['run_id', 'step', 'nth'])
        .execute();
    },
  },
  {
    name: '0017-told',
    async up(db) {
      // Of what ended before nothing says whether it was told: it is told once more.
      await db.schema.alterTable('runs_runs').addColumn('told_at', 'bigint').execute();
      await db.schema
        .createTable('runs_taken_up')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('run_id', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('runs_taken_up_run').on('runs_taken_up').column('run_id').execute();
    },
  },
];
