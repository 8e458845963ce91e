import pLimit from 'p-limit';

/** Runs all, so many at a time, and waits for every one: none that was paid for is thrown away. */
export function settleAll<Output>(
  work: readonly (() => Promise<Output>)[],
  { concurrency = Number.POSITIVE_INFINITY }: { readonly concurrency?: number } = {},
): Promise<PromiseSettledResult<Output>[]> {
  const limit = pLimit(concurrency);
  return Promise.allSettled(work.map((each) => limit(each)));
}

/**
 * As {@link settleAll}, but begins none once one has failed: what began after a failure does not stand when the run goes
 * on, and would be paid for again.
 * @throws the first's error, in their order, once all that were begun have ended
 */
export async function runAll<Output>(
  work: readonly (() => Promise<Output>)[],
  options?: { readonly concurrency?: number },
): Promise<Output[]> {
  let hasFailed = false;
  const untilOneFails = work.map((each) => async () => {
    // Told to nobody: one before it has failed.
    if (hasFailed) throw new Error('not begun');
    try {
      return await each();
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
  const results = await settleAll(untilOneFails, options);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
