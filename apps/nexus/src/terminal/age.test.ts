import { expect, it } from 'vitest';
import { age } from './age.ts';

const NOW = Date.parse('2026-01-02T00:00:00.000Z');

it.each([
  ['2026-01-01T23:59:59.500Z', '0 s'],
  ['2026-01-01T23:59:01.000Z', '59 s'],
  ['2026-01-01T23:58:30.000Z', '1 min'],
  ['2026-01-01T01:00:00.000Z', '23 h'],
  ['2025-12-25T00:00:00.000Z', '8 d'],
  ['2026-01-02T00:00:05.000Z', '0 s'],
])('%s was %s ago', (moment, expected) => {
  expect(age(moment, NOW)).toBe(expected);
});
