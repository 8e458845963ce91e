import {
  createLookedAt,
  type Dialect,
  type Host,
  type LookedAt,
  type Results,
  type Store,
} from '@nexus/plugin-sdk';
import { type InTurn, oneByOne, untilAborted } from '@nexus/primitives';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { findBusName } from './bus-name.ts';
import { type Changes, createChanges } from './changes.ts';
import { createShownBatches, type ShownBatches } from './messages/batches.ts';
import { createInboxUpdates, type InboxUpdates } from './messages/inbox-updates.ts';
import { migrations } from './migrations.ts';
import { createPollers, type Pollers } from './pollers.ts';
import { createSessionHolds, type SessionHolds } from './session-holds.ts';
import type { BusTables } from './tables.ts';
import { createWatch, type Watch } from './tasks/watch.ts';

const NAME = 'bus';

export const busOptions = z.object({
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Servers of one project with the same name share one bus. Default: one bus for the project.'),
  leaseMs: z
    .int()
    .min(100)
    .max(86_400_000)
    .default(300_000)
    .describe('Length of a lease in milliseconds where submit_task states no timeoutMs.'),
  backoffMs: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(1_000)
    .describe('Pause after the first failed attempt, in milliseconds; doubled after each further one.'),
  maxBackoffMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(300_000)
    .describe('The longest pause between two attempts, in milliseconds.'),
  lookAgainMs: z
    .int()
    .min(10)
    .max(10_000)
    .default(10_000)
    .describe('How often waiting polls look for work that nobody told them of, in milliseconds.'),
});

export type BusOptions = z.output<typeof busOptions>;

/** The opened bus: what every part of the plugin works on. */
export interface Bus {
  readonly db: Kysely<BusTables>;
  /** The database's clock: what is written to be compared later is of no machine's own. */
  readonly clock: Pick<Store, 'now' | 'readNow'>;
  readonly dialect: Dialect;
  readonly projectRoot: string;
  /** Where a part of a poll is done that makes several statements: many polls come, and run out, at once. */
  readonly inTurn: InTurn;
  /** Parts buses of one project, where it wants several: the value of every `bus` column. */
  readonly name: string;
  readonly options: BusOptions;
  /** What bounds an answer. */
  readonly results: Pick<Results, 'maxChars'>;
  readonly changes: Changes;
  readonly watch: Watch;
  readonly shown: ShownBatches;
  readonly holds: SessionHolds;
  readonly pollers: Pollers;
  readonly inboxes: InboxUpdates;
  /** What sessions were shown of others, or have as their own. */
  readonly lookedAt: { readonly workers: LookedAt; readonly tasks: LookedAt };
}

/** What the calls get: the database is opened by the first of them. */
export interface BusState {
  open(): Promise<Bus>;
  /** The same for who only reads, and so waits for nobody who writes; where nothing was ever written, a bus with nothing on it. */
  openToRead(): Promise<Bus>;
}

/** For so long the first call waits for what sessions that are over held: to give it back may have to wait for who writes. */
const FIRST_LOOK_MS = 1_000;

export function createBus(
  options: BusOptions,
  {
    store,
    projectRoot,
    events,
    signal,
    results,
    ...host
  }: Pick<Host, 'store' | 'projectRoot' | 'events' | 'signal' | 'sessions' | 'log' | 'results'>,
): BusState {
  const { dialect } = store;
  const lookedAt = { workers: createLookedAt(), tasks: createLookedAt() };
  let opened: Promise<Bus> | undefined;
  let isOpen = false;
  host.sessions.onOver(async (id) => (await opened?.catch(() => undefined))?.holds.giveBack(id));

  const busOn = async (db: Kysely<BusTables>): Promise<Bus> => {
    const name = options.name ?? (await findBusName(db, dialect, projectRoot));
    const changes = createChanges(store, name);
    const watch = createWatch({ bus: () => bus });
    const bus: Bus = {
      db,
      clock: store,
      dialect,
      projectRoot,
      inTurn: dialect === 'sqlite' ? oneByOne() : (work) => work(),
      name,
      options,
      results,
      changes,
      watch,
      shown: createShownBatches(),
      holds: createSessionHolds(() => bus, host),
      pollers: createPollers(() => bus, host.sessions),
      inboxes: createInboxUpdates(changes, { events, signal }),
      lookedAt,
    };
    return bus;
  };
  const connect = async (): Promise<Bus> => {
    const bus = await busOn(await store.open<BusTables>(NAME, migrations));
    // What the first call finds is as if others had been there all along.
    const looked = AbortSignal.timeout(FIRST_LOOK_MS);
    await untilAborted(bus.holds.tendNowAndThen(), looked).catch(() => {});
    isOpen = true;
    return bus;
  };
  const open = async (): Promise<Bus> => {
    opened ??= connect().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const bus = await opened;
    void bus.holds.tendNowAndThen();
    return bus;
  };
  return {
    open,
    async openToRead() {
      if (isOpen || (await store.openToRead<BusTables>(NAME, migrations))) return open();
      return busOn(await store.blank<BusTables>(NAME, migrations));
    },
  };
}
