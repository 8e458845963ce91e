/** Work that is asked for more often than it is worth doing. */
export interface Paced {
  ask(): void;
}

const FIRST_PAUSE_MS = 100;
/** Who asks without an end is heard no more often than this. */
const MAX_PAUSE_MS = 10_000;

/**
 * However often it is asked for: at once, and then once more for all who asked meanwhile, with a pause
 * between that grows for as long as somebody goes on asking.
 */
export function createPaced(work: () => Promise<void> | void): Paced {
  let isRunning = false;
  let isAsked = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (let pauseMs = FIRST_PAUSE_MS; isAsked; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      isAsked = false;
      await work();
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
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
