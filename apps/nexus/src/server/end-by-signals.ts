/** How a serving process ends: asked by a signal, and never later than promised. */
export interface Ending {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
  readonly requested: Promise<void>;
  /** From here the process has this time to end by itself, then it is ended. */
  begin(withinMs: number): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** @param signalledMs the time that a signal leaves */
export function endBySignals(signalledMs: number): Ending {
  let hasBegun = false;
  const begin = (withinMs: number) => {
    if (hasBegun) return;
    hasBegun = true;
    setTimeout(() => process.exit(), withinMs).unref();
  };
  const requested = new Promise<void>((resolve) => {
    for (const [signal, code] of Object.entries(EXIT_CODES)) {
      process.on(signal, () => {
        if (hasBegun) process.exit(code);
        process.exitCode = signal === 'SIGINT' ? code : 0;
        begin(signalledMs);
        resolve();
      });
    }
  });
  return { requested, begin };
}
