/** Runs all, so many at a time, and waits for every one: none that was paid for is thrown away. */
export async function settleAll<Output>(
  work: readonly (() => Promise<Output>)[],
  { concurrency = Number.POSITIVE_INFINITY }: { readonly concurrency?: number } = {},
): Promise<PromiseSettledResult<Output>[]> {
  const results: PromiseSettledResult<Output>[] = [];
  let next = 0;
  const lane = async () => {
    while (next < work.length) {
      const at = next;
      next += 1;
      const [result] = await Promise.allSettled([work[at]?.() as Promise<Output>]);
      results[at] = result;
    }
  };
  const lanes = Math.max(1, Math.min(concurrency, work.length));
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** @throws the first's error, in their order, once all have ended */
export async function runAll<Output>(
  work: readonly (() => Promise<Output>)[],
  options?: { readonly concurrency?: number },
): Promise<Output[]> {
  const results = await settleAll(work, options);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
