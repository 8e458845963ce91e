const TURN_MS = 10;

/** What long work awaits often, so that the event loop gets a turn after each {@link TURN_MS}. */
export type Pause = () => Promise<void> | undefined;

export function createPause(): Pause {
  let turnStartedAt = performance.now();
  return () => {
    if (performance.now() - turnStartedAt < TURN_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        turnStartedAt = performance.now();
        resolve();
      }),
    );
  };
}
