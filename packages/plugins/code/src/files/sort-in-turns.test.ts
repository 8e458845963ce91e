import { expect, it } from 'vitest';
import { sortInTurns } from './sort-in-turns.ts';

/** Texts in no order, with repetitions. */
function texts(count: number): string[] {
  let seed = 1;
  return Array.from({ length: count }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return `${seed % 5_000}`;
  });
}

it.each([0, 1, 4_096, 4_097, 30_000])('orders %i texts as sort() does', async (count) => {
  const given = texts(count);
  expect(await sortInTurns(given, () => undefined)).toEqual([...given].sort());
});

it('keeps to the order that it is given', async () => {
  const given = texts(20_000);
  const byLength = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
  expect(await sortInTurns(given, () => undefined, byLength)).toEqual([...given].sort(byLength));
});

it('lets others run between its turns', async () => {
  let turns = 0;
  await sortInTurns(texts(50_000), async () => {
    turns += 1;
  });
  expect(turns).toBeGreaterThan(20);
});
