/** The work's outcome, or the signal's reason as soon as it fires, whatever the work then does. */
export async function untilAborted<Outcome>(work: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    // Both may still be refused after the race is over.
    work.catch(() => {});
    aborted.catch(() => {});
  }
}
