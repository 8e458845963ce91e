import { expect, test } from 'vitest';
import type { GrowthRow } from './row.ts';
import { slope, verdict } from './shape.ts';

const row: GrowthRow = {
  name: 'example',
  what: 'an example',
  method: '',
  unit: 'ms',
  sizes: [10, 100, 1_000],
  smallSizes: [10, 100, 1_000],
  measure: async () => 0,
};
const curve = (cost: (size: number) => number) => row.sizes.map((size) => ({ size, cost: cost(size) }));

test('the exponent of a curve is told: flat, linear, quadratic', () => {
  expect(slope(curve(() => 7))).toBeCloseTo(0);
  expect(slope(curve((size) => 3 * size))).toBeCloseTo(1);
  expect(slope(curve((size) => size ** 2))).toBeCloseTo(2);
});

test('what outgrows its size is worse than linear, also where it bends only at the end', () => {
  expect(verdict({ row, points: curve((size) => size * 5) }).faults).toEqual([]);
  expect(verdict({ row, points: curve((size) => size ** 1.5) }).faults).toEqual(['worse than linear']);
  const late = curve((size) => 1_000 + size ** 2);
  expect(verdict({ row, points: late }).faults).toEqual(['worse than linear']);
});

test('costs that no clock tells apart are no growth', () => {
  expect(verdict({ row, points: curve((size) => (size * 10) / 1_000) }).faults).toEqual([]);
});

test('the bound of a row holds at its largest size, and is not looked at on smaller ones', () => {
  const points = curve((size) => size);
  expect(verdict({ row: { ...row, atMost: 500 }, points }).faults).toEqual(['over 500 ms']);
  const smaller = { ...row, sizes: [100, 1_000, 10_000] as const, atMost: 500 };
  expect(verdict({ row: smaller, points }).faults).toEqual([]);
});
