import type { Store } from '@nexus/plugin-sdk';
import type { CompiledQuery, DatabaseConnection, Driver, Kysely } from 'kysely';
import type { Actor } from '../ground/world.ts';
import { clockOf, kyselyOf } from './postgres.ts';
import { type Driving, lasting, type Site, timesOf, unavailable } from './site.ts';
import type { Outcome, Transaction } from './tables.ts';

/** How long a write waits for another process, and for how long at once, as the real store's does. */
const LOCK_WAIT_MS = 15_000;
const LAST_PAUSE_MS = 25;
const SOON_TRIES = 16;

/** One file that processes of a machine share: one of them writes at a time. */
export interface EmbeddedFile {
  readonly site: Site;
  writer: Transaction | undefined;
  /** Whose that is: nothing takes it from a process that stands still. */
  writing: Actor | undefined;
  /** Whose name is whose, as the system's file locks have it. */
  readonly names: Map<string, Actor>;
  /** Who is told of what others write, each by its own process. */
  readonly listeners: Map<Actor, (channel: string, payload: string) => void>;
}

export function embeddedStore(file: EmbeddedFile, actor: Actor): { store: Store; driving: Driving } {
  const { site } = file;
  const { world, tables } = site;
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let transaction: Transaction | undefined;
  /** The last that this process had the file's lock by. */
  let mine: Transaction | undefined;

  async function step(what: 'statement' | 'commit', least: number, most: number): Promise<void> {
    await world.wait(lasting(site, least, most), actor, what);
    if (world.now < site.awayUntil || site.fateOf(actor, what) !== 'passes') {
      throw unavailable('can’t be read or written');
    }
  }

  async function lock(): Promise<Transaction> {
    const giveUpAt = world.now + LOCK_WAIT_MS;
    for (let tries = 1, most = 1; file.writer; tries += 1) {
      if (world.now >= giveUpAt) throw unavailable('stayed locked by another process');
      await world.wait(most * (0.5 + site.chance.next() / 2), actor, 'busy');
      if (tries >= SOON_TRIES) most = Math.min(2 * most, LAST_PAUSE_MS);
    }
    mine = tables.begin();
    file.writer = mine;
    file.writing = actor;
    return mine;
  }

  function unlock(own: Transaction, how: 'commit' | 'rollback'): void {
    if (file.writer === own) file.writer = undefined;
    if (own.isOver) return;
    if (how === 'commit') tables.commit(own);
    else tables.rollback(own);
  }

  function run(own: Transaction, { sql, parameters }: CompiledQuery): Outcome {
    const executed = tables.execute(own, sql, { parameters, ...timesOf(site) });
    if ('blockedBy' in executed) throw new Error('the one writer of a file met a lock');
    return executed;
  }

  async function execute(query: CompiledQuery): Promise<Outcome> {
    await step('statement', 0.02, 0.1);
    if (transaction) return run(transaction, query);
    if (!/^\s*(insert|update|delete)/i.test(query.sql)) {
      const reader = tables.begin();
      const read = run(reader, query);
      tables.rollback(reader);
      return read;
    }
    const own = await lock();
    try {
      const written = run(own, query);
      await step('commit', 0.3, 2);
      unlock(own, 'commit');
      return written;
    } catch (error) {
      unlock(own, 'rollback');
      throw error;
    }
  }

  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery) {
      const { rows, affected } = await execute(query);
      return { rows: rows as R[], numAffectedRows: BigInt(affected) };
    },
    streamQuery() {
      throw new Error('the simulator streams nothing');
    },
  };
  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      return connection;
    },
    async beginTransaction() {
      await step('statement', 0.02, 0.1);
      transaction = await lock();
    },
    async commitTransaction() {
      const own = transaction as Transaction;
      await step('commit', 0.3, 2);
      transaction = undefined;
      unlock(own, 'commit');
    },
    async rollbackTransaction() {
      const own = transaction;
      transaction = undefined;
      if (own) unlock(own, 'rollback');
    },
    async releaseConnection() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
    async destroy() {},
  };
  const db = kyselyOf(driver);
  const listeners = new Map<string, Set<(payload: string | undefined) => void>>();
  const tell = (channel: string, payload: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  };
  /** Once what it is part of is written. */
  async function tellOthers(channel: string, payload: string): Promise<void> {
    while (transaction) await world.wait(0.5, actor, 'after writes');
    for (const [other, hear] of file.listeners) {
      if (other !== actor)
        world.at(lasting(site, 0.1, 2), other, 'notification', () => hear(channel, payload));
    }
  }
  const store: Store = {
    ...clockOf('sqlite'),
    dialect: 'sqlite',
    projectId: 'simulated',
    open: async <Tables>() => db as unknown as Kysely<Tables>,
    openToRead: async <Tables>() => db as unknown as Kysely<Tables>,
    blank: async <Tables>() => db as unknown as Kysely<Tables>,
    ahead: async (statement) => void (await db.executeQuery(statement)),
    async withoutDisk() {},
    async notify(channel, payload) {
      world.at(0.01, actor, 'notification', () => {
        tell(channel, payload);
        void tellOthers(channel, payload);
      });
    },
    async listen(channel, listener) {
      file.listeners.set(actor, tell);
      const each = listeners.get(channel) ?? new Set();
      listeners.set(channel, each.add(listener));
      return () => {
        each.delete(listener);
      };
    },
    async hold(name) {
      if (file.names.has(name)) return undefined;
      file.names.set(name, actor);
      return {
        lost: new AbortController().signal,
        async release() {
          if (file.names.get(name) === actor) file.names.delete(name);
        },
      };
    },
    isHeld: async (name) => file.names.has(name),
  };
  return {
    store,
    driving: {
      end() {
        file.listeners.delete(actor);
        for (const [name, holder] of file.names) if (holder === actor) file.names.delete(name);
        const { writer } = file;
        if (writer && writer === mine) unlock(writer, 'rollback');
      },
      cut() {},
      cutOff() {},
    },
  };
}
