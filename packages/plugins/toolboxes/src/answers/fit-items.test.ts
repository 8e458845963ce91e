import { expect, it } from 'vitest';
import { fitItems } from './fit-items.ts';

it.each([
  [['a', 'b', 'c'], 12, 3],
  [['a', 'b', 'c'], 11, 2],
  [['a', 'b', 'c'], 0, 1],
  [[], 0, 0],
])('of %j in %i characters there is room for %i', (items, maxChars, count) => {
  expect(fitItems(items, maxChars)).toEqual(items.slice(0, count));
});
