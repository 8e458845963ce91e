/** Reads a list again when it is said to have changed. */
export interface Relisting {
  ask(): void;
}

/** A server that says so without an end is listed no more often than this. */
const MIN_PAUSE_MS = 250;

/** However often it is asked: one reading at a time, and one more after it for all who asked meanwhile. */
export function createRelisting(read: () => Promise<void>): Relisting {
  let isRunning = false;
  let isAsked = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await read();
      await new Promise<void>((resolve) => setTimeout(resolve, MIN_PAUSE_MS).unref());
    }
    isRunning = false;
  }

  return {
    ask() {
      isAsked = true;
      if (!isRunning) void run();
    },
  };
}
