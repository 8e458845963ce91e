import type { Hold, Store } from '@nexus/plugin-sdk';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Actor } from '../ground/world.ts';
import { type Driving, lasting, type Site, timesOf, unavailable } from './site.ts';
import { NOW } from './statement.ts';
import type { Outcome, Transaction } from './tables.ts';

/** As pg's pool. */
const POOL = 10;
const DEADLOCK_MS = 1_000;
/** How long a server keeps the session of a client that nothing comes from, as packages/store sets it. */
const SILENT_MS = 20_000;

/** What a server does by itself about connections that hold others up; 0 is never. */
export interface Limits {
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

/** Sessions, names and listeners of one server, shared by all processes. */
export interface PostgresServer {
  readonly site: Site;
  readonly limits: Limits;
  readonly names: Map<string, Link>;
  readonly listeners: Set<Link>;
}

/** One connection: its client's end and its session at the server. */
class Link {
  readonly server: PostgresServer;
  readonly actor: Actor;
  /** Of no use to its client any more. */
  isBroken = false;
  /** The server knows of it no more. */
  isClosed = false;
  transaction: Transaction | undefined;
  onMessage: (channel: string, payload: string) => void = () => {};
  onBroken: () => void = () => {};
  /** Of all that is asked and not answered. */
  readonly #rejects = new Set<(error: Error) => void>();
  #idle: (() => void) | undefined;

  constructor(server: PostgresServer, actor: Actor) {
    this.server = server;
    this.actor = actor;
  }

  /** There and back. */
  ask<Result>(
    what: 'statement' | 'commit',
    serve: (done: (result: Result | Error) => void) => void,
  ): Promise<Result> {
    const { site } = this.server;
    const { world } = site;
    return new Promise<Result>((resolve, reject) => {
      if (this.isBroken) {
        world.at(0.01, this.actor, 'broken', () => reject(unavailable('has lost this connection')));
        return;
      }
      this.#rejects.add(reject);
      const fate = site.fateOf(this.actor, what);
      world.at(lasting(site, 0.1, 0.4), undefined, what, () => {
        if (this.isClosed) return;
        if (fate === 'lost') return this.break('lost a statement');
        this.#idle?.();
        serve((result) => {
          if (this.isClosed) return;
          if (fate === 'unanswered') return this.break(`lost the answer of a ${what}`);
          this.#watchIdle();
          world.at(lasting(site, 0.05, 0.3), this.actor, 'answer', () => {
            if (this.isBroken) return;
            this.#rejects.delete(reject);
            if (result instanceof Error) reject(result);
            else resolve(result);
          });
        });
      });
    });
  }

  /** Both ends learn of it, the server after so many milliseconds: until then it does what it was asked. */
  break(why: string, serverMs = 0.1): void {
    if (this.isBroken) return;
    this.isBroken = true;
    const { world } = this.server.site;
    world.note(() => `${this.actor.name} connection breaks: ${why}`);
    const rejects = [...this.#rejects];
    this.#rejects.clear();
    world.at(0.05, this.actor, 'cut', () => {
      for (const reject of rejects) reject(unavailable(why));
      this.onBroken();
    });
    world.at(serverMs, undefined, 'session ends', () => this.close());
  }

  /** The session's end at the server: what was not committed never was. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#idle?.();
    const { names, listeners, site } = this.server;
    listeners.delete(this);
    for (const [name, link] of names) if (link === this) names.delete(name);
    if (this.transaction && !this.transaction.isOver) site.tables.rollback(this.transaction);
    this.transaction = undefined;
  }

  run({ sql: text, parameters }: CompiledQuery, done: (result: Outcome | Error) => void): void {
    const { site, limits } = this.server;
    const { world, tables } = site;
    const own = this.transaction;
    if (own?.isFailed) {
      done(new Error('current transaction is aborted'));
      return;
    }
    const transaction = own ?? tables.begin();
    let giveUp: (() => void) | undefined;
    const fail = (error: Error) => {
      transaction.waitsFor = undefined;
      giveUp?.();
      if (own) own.isFailed = true;
      else tables.rollback(transaction);
      done(error);
    };
    const attempt = () => {
      if (transaction.isOver || this.isClosed) return;
      transaction.waitsFor = undefined;
      let executed: ReturnType<typeof tables.execute>;
      try {
        executed = tables.execute(transaction, text, { parameters, ...timesOf(site) });
      } catch (error) {
        return fail(error instanceof Error ? error : new Error(String(error)));
      }
      if (!('blockedBy' in executed)) {
        giveUp?.();
        if (!own) this.#commit(transaction);
        return done(executed);
      }
      const { blockedBy } = executed;
      world.note(() => `${this.actor.name} waits for a lock`);
      transaction.waitsFor = blockedBy;
      if (waitsInCircle(transaction)) {
        world.at(DEADLOCK_MS, undefined, 'deadlock', () => {
          if (!transaction.isOver && transaction.waitsFor && waitsInCircle(transaction)) {
            fail(unavailable('had others in the way'));
          }
        });
      }
      if (limits.lockMs > 0) {
        giveUp ??= world.at(limits.lockMs, undefined, 'lock timeout', () => {
          if (!transaction.isOver && transaction.waitsFor) fail(unavailable('waited too long for a lock'));
        });
      }
      blockedBy.onOver.push(() => world.at(0.01, undefined, 'lock', attempt));
    };
    attempt();
  }

  begin(done: (result: Outcome) => void): void {
    this.transaction = this.server.site.tables.begin();
    done({ rows: [], affected: 0 });
  }

  end(how: 'commit' | 'rollback', done: (result: Outcome) => void): void {
    const { transaction } = this;
    this.transaction = undefined;
    if (transaction && !transaction.isOver) {
      if (how === 'commit' && !transaction.isFailed) this.#commit(transaction);
      else this.server.site.tables.rollback(transaction);
    }
    done({ rows: [], affected: 0 });
  }

  #commit(transaction: Transaction): void {
    const { site, listeners } = this.server;
    site.tables.commit(transaction);
    for (const [, text] of transaction.messages) {
      const [channel = '', ...rest] = text.split('\n');
      for (const link of listeners) {
        site.world.at(lasting(site, 0.1, 0.6), link.actor, 'notification', () => {
          if (!link.isBroken) link.onMessage(channel, rest.join('\n'));
        });
      }
    }
  }

  #watchIdle(): void {
    const { limits, site } = this.server;
    const { transaction } = this;
    if (limits.idleInTransactionMs <= 0 || !transaction) return;
    this.#idle = site.world.at(limits.idleInTransactionMs, undefined, 'idle in transaction', () => {
      if (this.transaction !== transaction || transaction.isOver) return;
      if (this.isBroken) this.close();
      else this.break('was idle in a transaction');
    });
  }
}

function waitsInCircle(transaction: Transaction): boolean {
  const seen = new Set<Transaction>();
  for (let at = transaction.waitsFor; at; at = at.waitsFor) {
    if (at === transaction) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}

/** The store of one process, by connections of its own to the server that all have. */
export function postgresStore(server: PostgresServer, actor: Actor): { store: Store; driving: Driving } {
  const { site } = server;
  const { world } = site;
  const links = new Set<Link>();
  const idle: Link[] = [];
  const waiting: ((link: Link | undefined) => void)[] = [];
  let isEnded = false;
  let cutOffUntil = Number.NEGATIVE_INFINITY;

  async function connect(): Promise<Link> {
    await world.wait(lasting(site, 0.5, 2), actor, 'connect');
    if (world.now < Math.max(site.awayUntil, cutOffUntil)) throw unavailable('can’t be reached');
    const link = new Link(server, actor);
    links.add(link);
    return link;
  }

  async function acquire(): Promise<Link> {
    for (let link = idle.pop(); link; link = idle.pop()) if (!link.isBroken) return link;
    for (const link of links) if (link.isBroken) links.delete(link);
    if (links.size < POOL) return connect();
    return (await new Promise<Link | undefined>((resolve) => waiting.push(resolve))) ?? connect();
  }

  function release(link: Link): void {
    if (link.isBroken) links.delete(link);
    const next = waiting.shift();
    if (next) next(link.isBroken ? undefined : link);
    else if (!link.isBroken) idle.push(link);
  }

  const connections = new WeakMap<Link, DatabaseConnection>();
  const linkOf = new WeakMap<DatabaseConnection, Link>();
  function connectionOf(link: Link): DatabaseConnection {
    const there = connections.get(link);
    if (there) return there;
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery) {
        const { rows, affected } = await link.ask<Outcome>('statement', (done) => link.run(query, done));
        return { rows: rows as R[], numAffectedRows: BigInt(affected) };
      },
      streamQuery() {
        throw new Error('the simulator streams nothing');
      },
    };
    connections.set(link, connection);
    linkOf.set(connection, link);
    return connection;
  }
  const linked = (connection: DatabaseConnection) => linkOf.get(connection) as Link;
  const driver: Driver = {
    async init() {},
    acquireConnection: async () => connectionOf(await acquire()),
    async beginTransaction(connection) {
      const link = linked(connection);
      await link.ask<Outcome>('statement', (done) => link.begin(done));
    },
    async commitTransaction(connection) {
      const link = linked(connection);
      await link.ask<Outcome>('commit', (done) => link.end('commit', done));
    },
    async rollbackTransaction(connection) {
      const link = linked(connection);
      await link.ask<Outcome>('statement', (done) => link.end('rollback', done));
    },
    releaseConnection: async (connection) => release(linked(connection)),
    async destroy() {},
  };
  const db = kyselyOf(driver);

  /** The connection for signals and names, made anew when it breaks. */
  const listeners = new Map<string, Set<(payload: string | undefined) => void>>();
  const held = new Map<string, AbortController>();
  let signalling: Promise<Link> | undefined;
  function signals(): Promise<Link> {
    signalling ??= connect().then(
      (link) => {
        link.onMessage = (channel, payload) => {
          for (const listener of listeners.get(channel) ?? []) listener(payload);
        };
        link.onBroken = () => lose();
        if (listeners.size > 0) server.listeners.add(link);
        return link;
      },
      (error: unknown) => {
        signalling = undefined;
        throw error;
      },
    );
    return signalling;
  }
  function lose(): void {
    signalling = undefined;
    for (const lost of held.values()) lost.abort();
    held.clear();
    if (listeners.size > 0 && !isEnded) void reconnect();
  }
  async function reconnect(): Promise<void> {
    for (let pauseMs = 100; !isEnded; pauseMs = Math.min(2 * pauseMs, 5_000)) {
      await world.wait(pauseMs * site.chance.between(0.5, 1.5), actor, 'reconnect');
      const isBack = await signals().then(
        () => true,
        () => false,
      );
      if (!isBack) continue;
      for (const each of listeners.values()) for (const listener of each) listener(undefined);
      return;
    }
  }
  const store: Store = {
    ...clockOf('postgres'),
    dialect: 'postgres',
    projectId: 'simulated',
    open: async <Tables>() => db as unknown as Kysely<Tables>,
    openToRead: async <Tables>() => db as unknown as Kysely<Tables>,
    blank: async <Tables>() => db as unknown as Kysely<Tables>,
    ahead: async (statement) => void (await db.executeQuery(statement)),
    async withoutDisk() {},
    async notify(channel, payload, on) {
      await sql`select pg_notify(${channel}, ${`${channel}\n${payload}`})`.execute(on ?? db);
    },
    async listen(channel, listener) {
      const each = listeners.get(channel) ?? new Set();
      listeners.set(channel, each.add(listener));
      try {
        const link = await signals();
        await link.ask('statement', (done) => {
          server.listeners.add(link);
          done(null);
        });
      } catch (error) {
        each.delete(listener);
        if (each.size === 0) listeners.delete(channel);
        throw error;
      }
      return () => {
        each.delete(listener);
      };
    },
    async hold(name) {
      if (held.has(name)) return undefined;
      const lost = new AbortController();
      held.set(name, lost);
      try {
        const link = await signals();
        const isTaken = await link.ask<boolean>('statement', (done) => {
          if (server.names.has(name)) return done(false);
          server.names.set(name, link);
          done(true);
        });
        if (!isTaken) {
          held.delete(name);
          return undefined;
        }
        return {
          lost: lost.signal,
          async release() {
            if (held.get(name) !== lost) return;
            held.delete(name);
            await link.ask('statement', (done) => {
              if (server.names.get(name) === link) server.names.delete(name);
              done(null);
            });
          },
        } satisfies Hold;
      } catch (error) {
        if (held.get(name) === lost) held.delete(name);
        throw error;
      }
    },
    async isHeld(name) {
      const link = await signals();
      return link.ask<boolean>('statement', (done) => done(server.names.has(name)));
    },
  };
  const all = async (each: (link: Link) => void) => {
    for (const link of links) each(link);
  };
  return {
    store,
    driving: {
      end() {
        isEnded = true;
        // What was sent before arrives before.
        for (const link of links)
          world.at(lasting(site, 0.05, 1), undefined, 'session ends', () => link.close());
      },
      cut() {
        void all((link) => link.break('cut the connection'));
      },
      cutOff(ms) {
        cutOffUntil = world.now + ms;
        void all((link) => link.break('is cut off', SILENT_MS));
      },
    },
  };
}

/** One of all processes: what it keeps it keeps while it puts one statement together. */
const compiler = new SqliteQueryCompiler();

/** kysely on a driver of the simulator's, by SQLite's words. */
export function kyselyOf(driver: Driver): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  });
}

/** One of all worlds, so that statements are put together once for all of them. */
const CLOCKS = { postgres: clockNode(), sqlite: clockNode() } satisfies Record<Store['dialect'], unknown>;

function clockNode(): never {
  return { kind: 'RawNode', sqlFragments: [NOW], parameters: [] } as never;
}

/** The database's clock, as each statement reads it. */
export function clockOf(dialect: Store['dialect']): Pick<Store, 'now' | 'readNow'> {
  const now = { expressionType: undefined, toOperationNode: () => CLOCKS[dialect] } as Store['now'];
  return {
    now,
    async readNow(db) {
      const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db);
      return Number(rows[0]?.now);
    },
  };
}
