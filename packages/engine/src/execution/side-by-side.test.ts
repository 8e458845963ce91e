import { expect, it } from 'vitest';
import { runAll, settleAll } from './side-by-side.ts';

it('runs so many at a time, and waits for every one, however one of them ended', async () => {
  let running = 0;
  let most = 0;
  const ended: number[] = [];
  const work = [0, 1, 2, 3, 4].map((at) => async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    ended.push(at);
    if (at === 1) throw new Error('the second');
    return at;
  });
  const results = await settleAll(work, { concurrency: 2 });
  expect(most).toBe(2);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
  ended.length = 0;
  await expect(runAll(work)).rejects.toThrow('the second');
  expect(ended).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(5);
  ended.length = 0;
  await expect(runAll(work, { concurrency: 2 })).rejects.toThrow('the second');
  // The third took the place of the first before the second failed.
  expect(ended).toEqual([0, 1, 2]);
});
