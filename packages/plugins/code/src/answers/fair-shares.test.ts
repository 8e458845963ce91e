import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fairShares } from './fair-shares.ts';

it('gives all to what wants little, and shares the rest evenly', () => {
  expect(fairShares([50, 5, 100], 65)).toEqual([30, 5, 30]);
  expect(fairShares([50, 5], 100)).toEqual([50, 5]);
});

it('never gives more than there is, nor leaves out what an even share would hold', () => {
  const sizes = fc.array(fc.nat(50_000), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(sizes, (wanted) => {
      const shares = fairShares(wanted, 44_000);
      expect(shares.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(44_000);
      const even = Math.floor(44_000 / wanted.length);
      for (const [at, size] of wanted.entries())
        expect(shares[at]).toBeGreaterThanOrEqual(Math.min(size, even));
    }),
  );
});
