/** A process that was asked to end is gone within 5 s, whatever still runs. */
export const EXIT_AFTER_REQUEST_MS = 4_500;
/** Calls in flight at the end of input have had their time before the session closes. */
export const EXIT_AFTER_CLOSE_MS = 1_500;

/** How a serving process ends: when asked, and never later than promised. */
export interface Ending {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
  readonly requested: Promise<void>;
  /** Fires at the same moment. */
  readonly signal: AbortSignal;
  /** Asks as a signal would. */
  request(): void;
  /**
   * SIGHUP calls this from now on and no longer ends the process, as daemons have it; on a terminal it
   * still ends, since there it says that the terminal has gone.
   */
  onHangup(listener: () => void): void;
  /** From here the process has this time to end by itself, then it is ended; the first call counts. */
  begin(withinMs: number): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function endBySignals(): Ending {
  let hasBegun = false;
  let wasSignalled = false;
  const controller = new AbortController();
  const { signal } = controller;
  const request = () => controller.abort(new Error('asked to end'));
  const requested = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  const begin = (withinMs: number) => {
    if (hasBegun) return;
    hasBegun = true;
    setTimeout(() => process.exit(), withinMs).unref();
  };
  let hangup: (() => void) | undefined;
  for (const [name, code] of Object.entries(EXIT_CODES)) {
    process.on(name, () => {
      if (name === 'SIGHUP' && hangup && !hasBegun && !process.stdin.isTTY) return hangup();
      // A host that has closed the input may send one as well, soon: what is being ended in order goes on.
      if (wasSignalled) process.exit(code);
      wasSignalled = true;
      process.exitCode = name === 'SIGINT' ? code : 0;
      if (name === 'SIGHUP' && process.stdin.isTTY) process.once('exit', endAsHungUp);
      begin(EXIT_AFTER_REQUEST_MS);
      request();
    });
  }
  const onHangup = (listener: () => void) => {
    hangup = listener;
  };
  return { requested, signal, request, onHangup, begin };
}

/** Node.js sets the terminal back when it ends, and aborts where that has gone: so it ends by the signal itself. */
function endAsHungUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
