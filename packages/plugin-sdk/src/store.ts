import type { CompiledQuery, Expression, Kysely } from 'kysely';

/**
 * One step of a schema, run once, inside a transaction, in the order of the list. It adds and takes nothing
 * away: while a team upgrades, the version before it works on the same tables, with its own queries. So a new
 * column is nullable or has a default, and what must change its meaning gets another table.
 */
export interface Migration {
  /** Unique and sortable within the plugin: `0001-create-entries`. Never rename one that shipped. */
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a migration runs before the tables that a type would describe exist
  up(db: Kysely<any>, dialect: Dialect): Promise<void>;
}

/** The SQL that a store speaks. */
export type Dialect = 'sqlite' | 'postgres';

/** A database as `open` gave it, or a transaction of it. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of any plugin
export type AnyDatabase = Kysely<any>;

/**
 * Durable state of one project, shared by all plugins: SQLite in the data directory, or Postgres. A write
 * that has answered is on disk. Name tables `<plugin>_<table>` and write queries that both dialects run.
 * A connection that breaks costs the calls in flight a NEXUS_STORE_UNAVAILABLE, whose `detail.wasWritten` is false
 * where what was asked for surely does not hold. A step of a run that may be repeated is done again by it, and what a
 * tool asks that a step or a job calls waits until the store is back: a statement, or a transaction as a whole, whose
 * function may so be called again and changes nothing but the database. No transaction may wait for anything but its queries: on Postgres
 * one that is idle for 10 s is undone, as is one that waits for a lock for that long.
 */
export interface Store {
  /** Which SQL the tables are on, for the few queries (full text) that must differ. */
  readonly dialect: Dialect;
  /** The project whose tables these are: the same on every machine that works on it. */
  readonly projectId: string;
  /**
   * The database's clock as SQL, in epoch milliseconds, the same within one statement. What is written to
   * be compared later (a lease, an expiry, a pause) is computed from it, for machines' clocks differ.
   */
  readonly now: Expression<number>;
  /** Reads that clock, for a transaction that needs the number. */
  readNow(db: AnyDatabase): Promise<number>;
  /**
   * Connects on first use, brings the plugin's tables up to date and gives typed access to them.
   * @throws {ToolError} NEXUS_STORE_UNAVAILABLE when the database can't be opened
   */
  open<Tables>(plugin: string, migrations: readonly Migration[]): Promise<Kysely<Tables>>;
  /**
   * The same for who only reads, and so need not wait for who writes: tables that nobody has used yet are not made.
   * @returns undefined where there are none, so that there is nothing to read
   * @throws {ToolError} NEXUS_STORE_UNAVAILABLE when the database can't be opened
   */
  openToRead<Tables>(plugin: string, migrations: readonly Migration[]): Promise<Kysely<Tables> | undefined>;
  /**
   * Where `openToRead` has none: the tables as they would be, with nothing in them and for reading alone, so that the
   * queries for those that are there have an answer. No other process is waited for. On Postgres, where a table is
   * made beside other writes, they are made.
   */
  blank<Tables>(plugin: string, migrations: readonly Migration[]): Promise<Kysely<Tables>>;
  /**
   * Makes one statement ahead of all others of this process, on a connection of its own that stays open: for what is
   * at risk until it is written. It is safe from the end of this process once the database has it, and, unlike other
   * writes, not from a power cut. What must hold is written by `open`'s way after it.
   */
  ahead(statement: CompiledQuery): Promise<void>;
  /**
   * Lets a transaction be answered before the disk has it: for what comes to the same when it is done again. It is safe
   * from the end of this process as any other, and from a power cut with the next one that is waited for, which has the
   * disk take all before it. On Postgres the disk is waited for all the same.
   */
  withoutDisk(trx: AnyDatabase): Promise<void>;
  /**
   * Wakes who listens in this project, on every machine that shares its database. A hint, that may be lost or
   * come for nothing: say in tables what counts. In a transaction it leaves with the commit.
   * @param payload at most 7 000 bytes
   */
  notify(channel: string, payload: string, db?: AnyDatabase): Promise<void>;
  /**
   * @param listener gets `undefined` when some may have been lost: look for yourself then. Must not throw.
   * @returns what ends it
   */
  listen(channel: string, listener: (payload: string | undefined) => void): Promise<() => void>;
  /**
   * Takes a name in this project that is free again at once when this process or its connection ends.
   * @returns undefined where another holds it
   */
  hold(name: string): Promise<Hold | undefined>;
  /** Whether anyone holds the name now. */
  isHeld(name: string): Promise<boolean>;
}

/** A name that this process holds. */
export interface Hold {
  /** Fires when the connection broke: another may have the name by now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}
