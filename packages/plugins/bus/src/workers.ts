import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';
import { unknownWorker } from './not-found.ts';
import { readNow } from './read-now.ts';
import { NAME_MARK } from './tasks/needs.ts';

export interface Worker {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly registeredAt: number;
  /** How many leases it holds at most. */
  readonly maxTasks: number | undefined;
  /** How many unread messages its last poll told it of. */
  readonly told: number;
}

/** What a worker says of itself; what it leaves out stays as it is. */
export interface Registration {
  readonly capabilities?: readonly string[] | undefined;
  readonly maxTasks?: number | undefined;
}

/** A name that somebody gives as their own. */
export interface CallingWorker {
  readonly name: string;
  /** Who calls; absent for the server's own user, who may act as every worker. */
  readonly user: string | undefined;
}

/** A worker's `last_seen_at` is written no more often than this, to spare a disk write per poll. */
const SEEN_GRAIN_MS = 5_000;

/**
 * Adds the worker or updates it.
 * @throws {ToolError} NEXUS_CONFLICT where it is another user's; NEXUS_INVALID_ARGUMENTS for a capability that would
 * pass for a name
 */
export async function registerWorker(
  bus: Bus,
  { name, user }: CallingWorker,
  { capabilities, maxTasks }: Registration = {},
): Promise<Worker> {
  const posed = capabilities?.find((each) => each.startsWith(NAME_MARK));
  if (posed !== undefined) {
    const text = `A capability can't begin with "${NAME_MARK}", as "${posed}" does: that marks tasks for one worker by its name.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  const { now } = bus.clock;
  const stored = capabilities && JSON.stringify([...new Set(capabilities)].sort());
  const seen = { registered_at: now, last_seen_at: now };
  const limit = maxTasks === undefined ? {} : { max_tasks: maxTasks };
  await bus.db
    .insertInto('bus_workers')
    .values({ bus: bus.name, name, capabilities: stored ?? '[]', ...seen, ...limit, user_id: user ?? null })
    .onConflict((conflict) =>
      conflict
        .columns(['bus', 'name'])
        .doUpdateSet({
          last_seen_at: now,
          ...limit,
          ...(stored === undefined ? {} : { capabilities: stored }),
        })
        .where((eb) => (user === undefined ? eb.lit(true) : eb('bus_workers.user_id', '=', user))),
    )
    .execute();
  return requireSelf(bus, { name, user });
}

async function findRow({ db, name: bus }: Bus, name: string) {
  return db
    .selectFrom('bus_workers')
    .selectAll()
    .where('bus', '=', bus)
    .where('name', '=', name)
    .executeTakeFirst();
}

export async function findWorker(bus: Bus, name: string): Promise<Worker | undefined> {
  const row = await findRow(bus, name);
  return (
    row && {
      name,
      capabilities: JSON.parse(row.capabilities),
      registeredAt: row.registered_at,
      maxTasks: row.max_tasks ?? undefined,
      told: row.told,
    }
  );
}

/** Whether the caller may act as this worker: nobody acts as another user's. One that is not there is nobody's. */
export async function isOwn(bus: Bus, { name, user }: CallingWorker): Promise<boolean> {
  if (user === undefined) return true;
  const row = await findRow(bus, name);
  return row === undefined || row.user_id === user;
}

/** @throws {ToolError} NEXUS_CONFLICT where the worker is another user's */
export async function assertOwn(bus: Bus, self: CallingWorker): Promise<void> {
  if (await isOwn(bus, self)) return;
  const text = `Worker "${self.name}" is another user’s, and nothing was done. Register a name of your own with register_worker.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { worker: self.name } });
}

/** @throws {ToolError} NEXUS_NOT_FOUND with the nearest names */
export async function requireWorker(bus: Bus, name: string): Promise<Worker> {
  const worker = await findWorker(bus, name);
  if (!worker) throw await unknownWorker(bus, name);
  return worker;
}

/**
 * The caller's own name. Others' names are not proposed: an agent would go on as one of them.
 * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT where it is another user's
 */
export async function requireSelf(bus: Bus, self: CallingWorker): Promise<Worker> {
  const { name } = self;
  await assertOwn(bus, self);
  const worker = await findWorker(bus, name);
  if (worker) return worker;
  const text = `"${name}" is not registered. Call register_worker with it first, if it is your own name.`;
  throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { worker: name } });
}

/** Takes the worker off the bus with its unread messages. @returns whether it was there */
export async function unregisterWorker({ db, name: bus }: Bus, worker: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('bus_deliveries')
      .where('recipient', '=', worker)
      .where('state', 'in', ['queued', 'delivered'])
      .where('message_id', 'in', (eb) => eb.selectFrom('bus_messages').select('id').where('bus', '=', bus))
      .execute();
    const gone = await tx
      .deleteFrom('bus_workers')
      .where('bus', '=', bus)
      .where('name', '=', worker)
      .returning('name')
      .executeTakeFirst();
    return gone !== undefined;
  });
}

/** All workers, with what they can do. */
export async function listAbilities({ db, name }: Bus): Promise<Pick<Worker, 'name' | 'capabilities'>[]> {
  const rows = await db
    .selectFrom('bus_workers')
    .select(['name', 'capabilities'])
    .where('bus', '=', name)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ name: row.name, capabilities: JSON.parse(row.capabilities) as string[] }));
}

/** The names of those that this user may act as; without one all, as {@link isOwn} has it. */
export async function listOwn({ db, name }: Bus, user: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('bus_workers')
    .select('name')
    .where('bus', '=', name)
    .where((eb) => (user === undefined ? eb.lit(true) : eb('user_id', '=', user)))
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}

/** Puts on record how many unread messages the worker knows of. */
export async function setTold({ db, name }: Bus, worker: string, told: number): Promise<void> {
  await db
    .updateTable('bus_workers')
    .set({ told })
    .where('bus', '=', name)
    .where('name', '=', worker)
    .where('told', '!=', told)
    .execute();
}

/**
 * The worker that polls: registered without capabilities when it is new, and marked as seen.
 * @throws {ToolError} NEXUS_CONFLICT where it is another user's
 */
export async function greetWorker(
  bus: Bus,
  self: CallingWorker,
): Promise<{ worker: Worker; isNew: boolean }> {
  const { name } = self;
  await assertOwn(bus, self);
  const now = await readNow(bus);
  await bus.db
    .updateTable('bus_workers')
    .set({ last_seen_at: now })
    .where('bus', '=', bus.name)
    .where('name', '=', name)
    .where('last_seen_at', '<', now - SEEN_GRAIN_MS)
    .execute();
  const worker = await findWorker(bus, name);
  if (worker) return { worker, isNew: false };
  return { worker: await registerWorker(bus, self), isNew: true };
}
