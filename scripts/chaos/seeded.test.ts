import { expect, it } from 'vitest';
import { seeded } from './seeded.ts';

it('chooses the same by the same seed, within its bounds, and every value there is', () => {
  const draw = (seed: number) => {
    const chance = seeded(seed);
    return Array.from({ length: 200 }, () => chance.between(3, 7));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect([...new Set(draw(7))].sort()).toEqual([3, 4, 5, 6, 7]);
  expect(() => seeded(1).of([])).toThrow(RangeError);
});
