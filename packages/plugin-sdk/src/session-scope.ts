/**
 * What a call is part of: a client's connection, a run with all its family, or a job. What is kept for it is kept
 * with this value, and ends when it does; nothing finds it by its id.
 */
export interface SessionScope {
  /** Opaque. The same when a session moves to another server, and in the runs and jobs that it started. */
  readonly id: string;
  readonly hasEnded: boolean;
  /**
   * The one whose work this is, while it is there: of a run, the session that started it. Its tools can be called
   * from here; what is kept here is not kept there.
   */
  readonly outer: SessionScope | undefined;
  /**
   * Calls back once, when it ends; at once where it has ended.
   * @returns stops that
   */
  onEnd(release: () => void | Promise<void>): () => void;
}

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
  /**
   * Calls back with each session on record that ends at this server, and with each that is found to be over ten seconds
   * after this server looked for it in vain; waits for that.
   */
  onOver(listener: (id: string) => void | Promise<void>): void;
}
