/** A process that was asked to end is gone within 5 s, whatever still runs. */
export const EXIT_AFTER_REQUEST_MS = 4_500;
/** Calls in flight at the end of input have had their time before the session closes. */
export const EXIT_AFTER_CLOSE_MS = 1_500;

/** How a serving process ends: when asked, and never later than promised. */
export interface Ending {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
  readonly requested: Promise<void>;
  /** Asks as a signal would. */
  request(): void;
  /** From here the process has this time to end by itself, then it is ended; the first call counts. */
  begin(withinMs: number): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function endBySignals(): Ending {
  let hasBegun = false;
  let request = () => {};
  const requested = new Promise<void>((resolve) => {
    request = resolve;
  });
  const begin = (withinMs: number) => {
    if (hasBegun) return;
    hasBegun = true;
    setTimeout(() => process.exit(), withinMs).unref();
  };
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      if (hasBegun) process.exit(code);
      process.exitCode = signal === 'SIGINT' ? code : 0;
      begin(EXIT_AFTER_REQUEST_MS);
      request();
    });
  }
  return { requested, request, begin };
}
