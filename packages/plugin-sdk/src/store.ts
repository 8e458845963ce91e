import type { Kysely } from 'kysely';

/** One step of a schema, run once, inside a transaction, in the order of the list. */
export interface Migration {
  /** Unique and sortable within the plugin: `0001-create-entries`. Never rename one that shipped. */
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a migration runs before the tables that a type would describe exist
  up(db: Kysely<any>, dialect: Dialect): Promise<void>;
}

/** The SQL that a store speaks. */
export type Dialect = 'sqlite' | 'postgres';

/**
 * Durable state, shared by all plugins: SQLite in the data directory, or Postgres. A write that has
 * answered is on disk. Name tables `<plugin>_<table>` and write queries that both dialects run.
 */
export interface Store {
  /** Which SQL the tables are on, for the few queries (full text) that must differ. */
  readonly dialect: Dialect;
  /**
   * Connects on first use, brings the plugin's tables up to date and gives typed access to them.
   * @throws {ToolError} NEXUS_STORE_UNAVAILABLE when the database can't be opened
   */
  open<Tables>(plugin: string, migrations: readonly Migration[]): Promise<Kysely<Tables>>;
}
