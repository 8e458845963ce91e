/** How a serving process ends: when asked, and never later than promised. */
export interface Ending {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
  readonly requested: Promise<void>;
  /** Asks as a signal would. */
  request(): void;
  /** From here the process has its time to end by itself, then it is ended. */
  begin(): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function endBySignals(withinMs: number): Ending {
  let hasBegun = false;
  let request = () => {};
  const requested = new Promise<void>((resolve) => {
    request = resolve;
  });
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    setTimeout(() => process.exit(), withinMs).unref();
  };
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      if (hasBegun) process.exit(code);
      process.exitCode = signal === 'SIGINT' ? code : 0;
      begin();
      request();
    });
  }
  return { requested, request, begin };
}
