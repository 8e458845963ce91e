import pLimit from 'p-limit';

/** Runs all, so many at a time, and waits for every one: none that was paid for is thrown away. */
export function settleAll<Output>(
  work: readonly (() => Promise<Output>)[],
  { concurrency = Number.POSITIVE_INFINITY }: { readonly concurrency?: number } = {},
): Promise<PromiseSettledResult<Output>[]> {
  const limit = pLimit(concurrency);
  return Promise.allSettled(work.map((each) => limit(each)));
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
