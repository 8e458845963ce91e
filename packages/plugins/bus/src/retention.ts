import type { Retention } from '@nexus/plugin-sdk';

const OPEN = `status not in ('done', 'dead')`;

const MESSAGE_PARTS = [
  { table: 'bus_deliveries', holds: 'who has a message', by: 'message_id', of: 'id' },
  { table: 'bus_batches', holds: 'what was shown of a message', by: 'message_id', of: 'id' },
];

/** What waits for somebody stays: a task that is not over, and what one that is not over needs. */
export const retention: readonly Retention[] = [
  {
    table: 'bus_tasks',
    holds: 'tasks that are done, were given up or cancelled, and that no open one needs',
    age: 'finished_at',
    days: 90,
    rows: 50_000,
    only: `status in ('done', 'dead') and not exists (
      select 1 from bus_task_dependencies need join bus_tasks later on later.id = need.task_id
      where need.depends_on = bus_tasks.id and later.${OPEN})`,
    parts: [
      { table: 'bus_task_capabilities', holds: 'what a task needs', by: 'task_id', of: 'id' },
      { table: 'bus_task_dependencies', holds: 'what a task waits for', by: 'task_id', of: 'id' },
      { table: 'bus_task_dependencies', holds: 'what waits for a task', by: 'depends_on', of: 'id' },
      { table: 'bus_notes', holds: 'what was noted on a task', by: 'task_id', of: 'id' },
      { table: 'bus_attempts', holds: 'how the attempts at a task ended', by: 'task_id', of: 'id' },
    ],
  },
  {
    table: 'bus_messages',
    holds: 'messages that everybody has read',
    age: 'sent_at',
    days: 90,
    rows: 100_000,
    only: `not exists (
      select 1 from bus_deliveries delivery
      where delivery.message_id = bus_messages.id and delivery.state in ('queued', 'delivered'))`,
    parts: MESSAGE_PARTS,
  },
  {
    table: 'bus_messages',
    holds: 'messages that somebody has not read',
    age: 'sent_at',
    days: 365,
    parts: MESSAGE_PARTS,
  },
  {
    table: 'bus_workers',
    holds: 'workers that hold no task and were not seen',
    age: 'last_seen_at',
    days: 90,
    only: `name not in (select lease_worker from bus_tasks where lease_worker is not null and ${OPEN})`,
  },
  {
    table: 'bus_batches',
    holds: 'what answers showed of inboxes and nobody confirmed',
    age: 'made_at',
    days: 7,
  },
  { table: 'bus_reservations', holds: 'reservations of files that ran out', age: 'expires_at', days: 1 },
  {
    table: 'bus_guards',
    holds: 'what two writers wait for each other by',
    kept: 'a row that never changes its place',
  },
];
