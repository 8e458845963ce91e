import { expect, test } from 'vitest';
import { oneByOne } from './one-by-one.ts';

test('work is done in its order, one piece at a time, also after one that failed', async () => {
  const inTurn = oneByOne();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'a') throw new Error('a fails');
  };
  const all = [inTurn(work('a')), inTurn(work('b'))];
  await Promise.allSettled(all);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  await expect(all[0]).rejects.toThrow('a fails');
});

test('between two pieces of work the event loop has a turn', async () => {
  const inTurn = oneByOne();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all([1, 2, 3].map(() => inTurn(async () => turns)));
  isOver = true;
  expect(new Set(seen).size).toBe(3);
});
