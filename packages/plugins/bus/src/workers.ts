import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';
import { unknownWorker } from './not-found.ts';
import { readNow } from './read-now.ts';

export interface Worker {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly registeredAt: number;
}

/** A worker's `last_seen_at` is written no more often than this, to spare a disk write per poll. */
const SEEN_GRAIN_MS = 5_000;

/** Adds the worker or updates it; capabilities that are not given stay as they are. */
export async function registerWorker(
  { db, name: bus, clock: { now } }: Bus,
  name: string,
  capabilities: readonly string[] | undefined,
): Promise<void> {
  const stored = capabilities && JSON.stringify([...new Set(capabilities)].sort());
  await db
    .insertInto('bus_workers')
    .values({ bus, name, capabilities: stored ?? '[]', registered_at: now, last_seen_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['bus', 'name'])
        .doUpdateSet({ last_seen_at: now, ...(stored === undefined ? {} : { capabilities: stored }) }),
    )
    .execute();
}

async function findWorker({ db, name: bus }: Bus, name: string): Promise<Worker | undefined> {
  const row = await db
    .selectFrom('bus_workers')
    .selectAll()
    .where('bus', '=', bus)
    .where('name', '=', name)
    .executeTakeFirst();
  return row && { name, capabilities: JSON.parse(row.capabilities), registeredAt: row.registered_at };
}

/** @throws {ToolError} NEXUS_NOT_FOUND with the nearest names */
export async function requireWorker(bus: Bus, name: string): Promise<Worker> {
  const worker = await findWorker(bus, name);
  if (!worker) throw await unknownWorker(bus, name);
  return worker;
}

/**
 * The caller's own name. Others' names are not proposed: an agent would go on as one of them.
 * @throws {ToolError} NEXUS_NOT_FOUND
 */
export async function requireSelf(bus: Bus, name: string): Promise<Worker> {
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

/** Whether some registered worker has all of these. */
export async function isAnyAble({ db, name: bus }: Bus, needed: readonly string[]): Promise<boolean> {
  const rows = await db.selectFrom('bus_workers').select('capabilities').where('bus', '=', bus).execute();
  return rows.some((row) => {
    const has = JSON.parse(row.capabilities) as string[];
    return needed.every((each) => has.includes(each));
  });
}

/** The worker that polls: registered without capabilities when it is new, and marked as seen. */
export async function greetWorker(bus: Bus, name: string): Promise<{ worker: Worker; isNew: boolean }> {
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
  await registerWorker(bus, name, undefined);
  return { worker: await requireWorker(bus, name), isNew: true };
}
