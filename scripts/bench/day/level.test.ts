import { expect, test } from 'vitest';
import type { Footprint } from './footprint.ts';
import { levelled } from './level.ts';

const flat: Footprint = {
  memory: 90,
  descriptors: 30,
  threads: 11,
  children: 1,
  temporary: 0,
  others: 12,
  database: 500,
  logs: 100,
};
const day = (change: (round: number) => Partial<Footprint>) =>
  levelled(Array.from({ length: 50 }, (_, round) => ({ ...flat, ...change(round) })));
const unlevel = (change: (round: number) => Partial<Footprint>) =>
  day(change)
    .filter(({ isLevel }) => !isLevel)
    .map(({ kind }) => kind);

test('a day that ends as it began is level, and noise is no growth', () => {
  expect(unlevel(() => ({}))).toEqual([]);
  expect(unlevel((round) => ({ memory: 90 + (round % 7), descriptors: 30 + (round % 3) }))).toEqual([]);
});

test('threads that ended before the look in one round and not in the next are no growth', () => {
  expect(unlevel((round) => ({ descriptors: round % 4 < 2 || round > 40 ? 49 : 37 }))).toEqual([]);
});

test('a little more with each round is seen at the end', () => {
  expect(unlevel((round) => ({ memory: 90 + round }))).toEqual(['memory']);
  expect(unlevel((round) => ({ temporary: round }))).toEqual(['temporary']);
  expect(unlevel((round) => ({ descriptors: 30 + Math.floor(round / 2) }))).toEqual(['descriptors']);
});

test('tables may grow by what was done, not by more with each round', () => {
  expect(unlevel((round) => ({ database: 500 + 200 * round }))).toEqual([]);
  expect(unlevel((round) => ({ database: 500 + round ** 2 }))).toEqual(['database']);
});

test('what one process alone holds more of with each round is seen, too', () => {
  const held = (memory: number) => ({ memory, descriptors: 30, threads: 11, children: 1 });
  const found = levelled(Array.from({ length: 10 }, (_, round) => held(90 + 8 * round)));
  expect(found.map(({ kind, isLevel }) => [kind, isLevel])).toEqual([
    ['memory', false],
    ['descriptors', true],
    ['threads', true],
    ['children', true],
  ]);
});
