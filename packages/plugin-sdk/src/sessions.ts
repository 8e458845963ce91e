import type { SessionScope } from './session-scope.ts';

/**
 * Which sessions of clients are there, whichever of the project's servers serves them: for what is on record and ends
 * with its session. A session moves to another server where its own dies, and is over where it comes to none within
 * ten seconds of the first look for it.
 */
export interface Sessions {
  /**
   * Puts on record that the session is there, before anything is that ends with it. Costs nothing where that is so
   * already.
   */
  record(session: SessionScope): Promise<void>;
  /** Those of the ids whose sessions are over, also for that they never were on record. */
  over(ids: readonly string[]): Promise<readonly string[]>;
  /** Calls back with each session on record that ends at this server, and waits for that. */
  onOver(listener: (id: string) => void | Promise<void>): void;
}
