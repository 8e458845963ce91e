/** What a process's own end makes of a call is no outcome: whose it is waits to be released, and the next process has it. */
export function untilReleased(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
