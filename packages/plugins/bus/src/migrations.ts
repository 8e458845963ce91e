import type { Dialect, Migration } from '@nexus/plugin-sdk';
import { type Kysely, sql } from 'kysely';

/** `double precision`: both dialects give it back as a JS number, exact for milliseconds; Postgres gives a bigint as text. */
const MOMENT = 'double precision';

export const migrations: readonly Migration[] = [
  { name: '0001-create-tasks', up: createTasks },
  { name: '0002-create-messages', up: createMessages },
  { name: '0003-create-reservations', up: createReservations },
  { name: '0004-create-batches', up: createBatches },
  { name: '0005-index-waiting-tasks', up: indexWaitingTasks },
  { name: '0006-add-user-of-workers', up: addUserOfWorkers },
  { name: '0007-add-changes-of-tasks', up: addChangesOfTasks },
  { name: '0008-add-limits-and-pollers', up: addLimitsAndPollers },
  { name: '0009-add-name-of-outcomes', up: addNameOfOutcomes },
  { name: '0010-add-holders', up: addHolders },
];

async function createTasks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('bus_workers')
    .addColumn('bus', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('capabilities', 'text', (column) => column.notNull())
    .addColumn('registered_at', MOMENT, (column) => column.notNull())
    .addColumn('last_seen_at', MOMENT, (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_workers_key', ['bus', 'name'])
    .execute();
  await withSequence(db, 'bus_tasks', dialect)
    .addColumn('bus', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('max_attempts', 'integer', (column) => column.notNull())
    .addColumn('timeout_ms', MOMENT, (column) => column.notNull())
    .addColumn('available_at', MOMENT, (column) => column.notNull())
    .addColumn('created_at', MOMENT, (column) => column.notNull())
    .addColumn('lease_id', 'text', (column) => column.unique())
    .addColumn('lease_worker', 'text')
    .addColumn('leased_at', MOMENT)
    .addColumn('lease_expires_at', MOMENT)
    .addColumn('acked_at', MOMENT)
    .addColumn('finished_at', MOMENT)
    .addColumn('result', 'text')
    .addColumn('idempotency_key', 'text')
    .addUniqueConstraint('bus_tasks_once', ['bus', 'idempotency_key'])
    .execute();
  await db.schema
    .createIndex('bus_tasks_by_turn')
    .on('bus_tasks')
    .columns(['bus', 'status', 'priority', 'seq'])
    .execute();
  await db.schema
    .createTable('bus_task_capabilities')
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('capability', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_task_capabilities_key', ['task_id', 'capability'])
    .execute();
  await db.schema
    .createTable('bus_task_dependencies')
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('depends_on', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_task_dependencies_key', ['task_id', 'depends_on'])
    .execute();
  await db.schema
    .createIndex('bus_task_dependencies_by_dependency')
    .on('bus_task_dependencies')
    .column('depends_on')
    .execute();
  await db.schema
    .createTable('bus_attempts')
    .addColumn('lease_id', 'text', (column) => column.primaryKey())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('worker', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('started_at', MOMENT, (column) => column.notNull())
    .addColumn('ended_at', MOMENT, (column) => column.notNull())
    .addColumn('retry_at', MOMENT)
    .execute();
  await db.schema.createIndex('bus_attempts_by_task').on('bus_attempts').column('task_id').execute();
}

async function createMessages(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await withSequence(db, 'bus_messages', dialect)
    .addColumn('bus', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('addressee', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('ack_required', 'integer', (column) => column.notNull())
    .addColumn('sent_at', MOMENT, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('bus_messages_by_sender')
    .on('bus_messages')
    .columns(['bus', 'sender'])
    .execute();
  await db.schema
    .createTable('bus_deliveries')
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('delivered_at', MOMENT)
    .addColumn('read_at', MOMENT)
    .addColumn('acked_at', MOMENT)
    .addPrimaryKeyConstraint('bus_deliveries_key', ['recipient', 'message_id'])
    .execute();
  await db.schema
    .createIndex('bus_deliveries_by_message')
    .on('bus_deliveries')
    .column('message_id')
    .execute();
}

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bus_reservations')
    .addColumn('bus', 'text', (column) => column.notNull())
    .addColumn('worker', 'text', (column) => column.notNull())
    .addColumn('glob', 'text', (column) => column.notNull())
    .addColumn('exclusive', 'integer', (column) => column.notNull())
    .addColumn('reserved_at', MOMENT, (column) => column.notNull())
    .addColumn('expires_at', MOMENT, (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_reservations_key', ['bus', 'worker', 'glob'])
    .execute();
  await db.schema
    .createTable('bus_guards')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  const guards = db as Kysely<{ bus_guards: { name: string; version: number } }>;
  await guards.insertInto('bus_guards').values({ name: 'reservations', version: 0 }).execute();
}

async function createBatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bus_messages')
    .addColumn('importance', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createIndex('bus_messages_by_thread')
    .on('bus_messages')
    .columns(['bus', 'thread_id', 'seq'])
    .execute();
  await db.schema
    .alterTable('bus_deliveries')
    .addColumn('read_to', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('bus_deliveries_by_state')
    .on('bus_deliveries')
    .columns(['recipient', 'state'])
    .execute();
  await db.schema
    .createTable('bus_batches')
    .addColumn('batch', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('shown_to', 'integer')
    .addColumn('made_at', MOMENT, (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_batches_key', ['batch', 'message_id'])
    .execute();
  await db.schema.createIndex('bus_batches_by_message').on('bus_batches').column('message_id').execute();
}

async function indexWaitingTasks(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bus_tasks').addColumn('needs', 'text').execute();
  await db.schema.alterTable('bus_tasks').addColumn('blocked_on', 'text').execute();
  await sql`create index bus_tasks_waiting on bus_tasks (bus, needs, priority, seq)
    where status = 'queued' and blocked_on is null`.execute(db);
  await sql`create index bus_tasks_blocked on bus_tasks (blocked_on) where blocked_on is not null`.execute(
    db,
  );
  await sql`create index bus_tasks_pauses on bus_tasks (bus, available_at) where status = 'queued'`.execute(
    db,
  );
  await sql`create index bus_tasks_leases on bus_tasks (bus, lease_expires_at) where status = 'leased'`.execute(
    db,
  );
}

async function addUserOfWorkers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bus_workers').addColumn('user_id', 'text').execute();
}

async function addChangesOfTasks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = ['label', 'progress', 'progress_by', 'cancelled_why'];
  for (const name of columns) await db.schema.alterTable('bus_tasks').addColumn(name, 'text').execute();
  await db.schema.alterTable('bus_tasks').addColumn('progress_at', MOMENT).execute();
  await db.schema.createIndex('bus_tasks_by_label').on('bus_tasks').columns(['bus', 'label']).execute();
  await withSequence(db, 'bus_notes', dialect)
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('noted_at', MOMENT, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('bus_notes_by_task').on('bus_notes').columns(['task_id', 'seq']).execute();
}

async function addLimitsAndPollers(db: Kysely<unknown>): Promise<void> {
  const workers = () => db.schema.alterTable('bus_workers');
  await workers().addColumn('max_tasks', 'integer').execute();
  await workers()
    .addColumn('told', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await workers().addColumn('poller', 'text').execute();
  await workers().addColumn('polled_at', MOMENT).execute();
}

async function addNameOfOutcomes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bus_attempts').addColumn('named', 'text').execute();
}

async function addHolders(db: Kysely<unknown>): Promise<void> {
  const tasks = () => db.schema.alterTable('bus_tasks');
  await tasks().addColumn('holder', 'text').execute();
  await tasks().addColumn('holder_lease', 'text').execute();
  await tasks().addColumn('holder_stays', 'integer').execute();
  const reservations = () => db.schema.alterTable('bus_reservations');
  await reservations().addColumn('holder', 'text').execute();
  await reservations().addColumn('holder_reserved_at', MOMENT).execute();
}

/** A table whose rows are numbered in the order of insertion, which a clock can't promise. */
function withSequence(db: Kysely<unknown>, table: string, dialect: Dialect) {
  const create = db.schema.createTable(table);
  return dialect === 'postgres'
    ? create.addColumn('seq', 'bigserial', (column) => column.primaryKey())
    : create.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement());
}
