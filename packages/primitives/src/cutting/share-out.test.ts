import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareOut } from './share-out.ts';

it('leaves short texts whole, and gives the long ones what is left, alike', () => {
  expect(shareOut([10, 500, 500], 100)).toEqual([10, 45, 45]);
  expect(shareOut([500, 10], 100)).toEqual([90, 10]);
  expect(shareOut([30, 20], 100)).toEqual([30, 20]);
});

it('never gives more than there is, nor more than a text has', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.nat(2000), (lengths, max) => {
      const shares = shareOut(lengths, max);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(max);
      for (const [index, share] of shares.entries()) expect(share).toBeLessThanOrEqual(lengths[index] ?? -1);
    }),
  );
});
