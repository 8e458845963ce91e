import type { CompiledQuery } from 'kysely';

/** Statements that are made ahead of all others of a process, by a connection that is opened with the first. */
export interface Ahead {
  /** @throws what the database says: whoever is ahead writes the same again by the usual way */
  ahead(statement: CompiledQuery): Promise<void>;
  closeAhead(): Promise<void>;
}
