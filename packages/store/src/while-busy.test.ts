import { expect, it } from 'vitest';
import { whileBusy } from './while-busy.ts';

const busy = () => Object.assign(new Error('database is locked'), { rawCode: 5 });

function lockedFor(tries: number) {
  const pauses: number[] = [];
  let tried = 0;
  const work = () => {
    tried += 1;
    if (tried <= tries) throw busy();
    return 'done';
  };
  const pause = async (ms: number) => {
    pauses.push(ms);
  };
  return { pauses, result: whileBusy(work, pause) };
}

it('tries again at once what short writes hold up, and more and more seldom what stays locked', async () => {
  const { pauses, result } = lockedFor(24);
  expect(await result).toBe('done');
  const longest = [...Array.from({ length: 16 }, () => 1), 2, 4, 8, 16, 25, 25, 25, 25];
  expect(pauses).toHaveLength(longest.length);
  for (const [at, most] of longest.entries()) {
    expect(pauses[at]).toBeGreaterThanOrEqual(most / 2);
    expect(pauses[at]).toBeLessThanOrEqual(most);
  }
});

it('gives up on what no wait mends, and once it has waited for as long as it may', async () => {
  const broken = new Error('disk I/O error');
  await expect(whileBusy(() => Promise.reject(broken))).rejects.toBe(broken);
  await expect(whileBusy(() => Promise.reject(busy()), undefined, 0)).rejects.toThrow('database is locked');
});
