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
