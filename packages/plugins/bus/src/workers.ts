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
