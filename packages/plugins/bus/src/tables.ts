import type { ColumnType, Generated } from 'kysely';

/**
 * What a task row says; whether it is blocked, its lease has run out or it was cancelled is derived on reading: servers
 * of versions before read these rows, and know no others.
 */
export type StoredStatus = 'queued' | 'leased' | 'done' | 'dead';

/** How one lease ended. Only `failed` and `expired` count as attempts. */
export type Outcome = StoredOutcome | NamedOutcome;

/** As servers of versions before know them, too. */
export type StoredOutcome = 'done' | 'failed' | 'expired' | 'reset' | 'released';

/** What such servers take for one of those. */
export type NamedOutcome = 'handed' | 'cancelled';

export type DeliveryState = 'queued' | 'delivered' | 'read' | 'acked';

/** Every `_at` is epoch milliseconds; `bus` is the name that parts buses of one project. */
export interface BusTables {
  bus_workers: WorkersTable;
  bus_tasks: TasksTable;
  bus_task_capabilities: { task_id: string; capability: string };
  bus_task_dependencies: { task_id: string; depends_on: string };
  bus_attempts: AttemptsTable;
  bus_notes: NotesTable;
  bus_messages: MessagesTable;
  bus_deliveries: DeliveriesTable;
  bus_batches: BatchesTable;
  bus_reservations: ReservationsTable;
  bus_guards: { name: string; version: number };
}

interface WorkersTable {
  bus: string;
  name: string;
  /** JSON array of texts. */
  capabilities: string;
  registered_at: number;
  last_seen_at: number;
  /** Who made it, by HTTP with an issuer; null for the server's own user. */
  user_id: string | null;
  /** How many leases it holds at most; null for any number. */
  max_tasks: number | null;
  /** How many unread messages its last poll told it of. */
  told: Generated<number>;
  /** The session that polled last under this name and may still be there; null where it has ended. */
  poller: string | null;
  polled_at: number | null;
}

export interface TasksTable {
  bus: string;
  /** Order of submission. */
  seq: Generated<number>;
  id: string;
  title: string;
  /** JSON. */
  payload: string;
  /** 0 is the most urgent. */
  priority: number;
  status: ColumnType<StoredStatus, StoredStatus, StoredStatus>;
  /** How many leases failed or expired. */
  attempts: number;
  max_attempts: number;
  /** Length of a lease, and of each extension by a heartbeat. */
  timeout_ms: number;
  /** Not before this moment, because of back-off. */
  available_at: number;
  created_at: number;
  /** The present lease while `status` is leased, the last one afterwards. */
  lease_id: string | null;
  lease_worker: string | null;
  leased_at: number | null;
  lease_expires_at: number | null;
  /** The session that took the lease `holder_lease`, which is not the present one where a version before gave that out. */
  holder: string | null;
  holder_lease: string | null;
  /** 1 where it outlives its session. */
  holder_stays: number | null;
  acked_at: number | null;
  finished_at: number | null;
  /** JSON. */
  result: string | null;
  idempotency_key: string | null;
  /** `needsKey` of its capabilities; null until it is settled, where a server of a version before submitted it. */
  needs: string | null;
  /** One of the tasks that must be done first and is not; null where none is left. */
  blocked_on: string | null;
  /** What it belongs to; `a/b` belongs to `a` as well. */
  label: string | null;
  /** JSON: how far the last worker that told of it had come. */
  progress: string | null;
  progress_by: string | null;
  progress_at: number | null;
  /** Why it was cancelled, where it is `dead` by that. */
  cancelled_why: string | null;
}

interface NotesTable {
  /** Order of writing. */
  seq: Generated<number>;
  task_id: string;
  author: string;
  body: string;
  noted_at: number;
}

interface AttemptsTable {
  lease_id: string;
  task_id: string;
  worker: string;
  outcome: StoredOutcome;
  /** How it ended in fact, where `outcome` is what comes nearest. */
  named: NamedOutcome | null;
  reason: string | null;
  started_at: number;
  ended_at: number;
  /** When the task may run again; null when it is over. */
  retry_at: number | null;
}

interface MessagesTable {
  bus: string;
  seq: Generated<number>;
  id: string;
  thread_id: string;
  sender: string;
  /** A worker, or `*`. */
  addressee: string;
  body: string;
  /** 0 or 1. */
  ack_required: number;
  /** An index of `IMPORTANCE`: 0 comes first. */
  importance: Generated<number>;
  sent_at: number;
}

interface DeliveriesTable {
  message_id: string;
  recipient: string;
  state: ColumnType<DeliveryState, DeliveryState, DeliveryState>;
  delivered_at: number | null;
  read_at: number | null;
  acked_at: number | null;
  /** How many characters of a body that comes in parts were read. */
  read_to: Generated<number>;
}

/** What one answer showed to a recipient, until it is known to have arrived. */
interface BatchesTable {
  batch: string;
  message_id: string;
  recipient: string;
  /** Where the part that was shown ends; null where the end of the message was shown. */
  shown_to: number | null;
  made_at: number;
}

interface ReservationsTable {
  bus: string;
  worker: string;
  glob: string;
  /** 0 or 1. */
  exclusive: number;
  /** Differs for each reservation in place of another: who made this one is told by it. */
  reserved_at: number;
  expires_at: number;
  /** The session that it ends with, if any, where it is the one made at `holder_reserved_at`. */
  holder: string | null;
  holder_reserved_at: number | null;
}
