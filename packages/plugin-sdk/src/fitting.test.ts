import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerRoom, textRoom } from './answer-room.ts';
import { fitting, fittingEach, fittingTwice } from './fitting.ts';

const lists = fc.array(fc.record({ id: fc.nat(), text: fc.string({ maxLength: 3_000 }) }), { maxLength: 60 });

it('gives the first items, each whole, as many as text and structure of the answer hold', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1_000, max: 100_000 }), (items, maxChars) => {
      const shown = fittingTwice(items, { maxChars });
      expect(shown).toEqual(items.slice(0, shown.length));
      const sizeOf = (some: readonly object[]) => 2 * JSON.stringify(some).length;
      if (shown.length > 1) expect(sizeOf(shown)).toBeLessThanOrEqual(maxChars);
      const isAll = shown.length === items.length;
      expect(isAll || sizeOf(items.slice(0, shown.length + 1)) > answerRoom({ maxChars }) - 1_010).toBe(true);
    }),
  );
});

it('gives as many items of each of several lists as the answer holds of all', () => {
  fc.assert(
    fc.property(
      fc.array(lists, { maxLength: 4 }),
      fc.integer({ min: 1_000, max: 50_000 }),
      (all, maxChars) => {
        const sizeOf = (most: number) => 2 * JSON.stringify(all.map((list) => list.slice(0, most))).length;
        const longest = Math.max(0, ...all.map(({ length }) => length));
        const most = fittingEach(all, { maxChars }, 100);
        if (most > 1) expect(sizeOf(most)).toBeLessThanOrEqual(maxChars);
        expect(most === longest || sizeOf(most + 1) > answerRoom({ maxChars }) - 1_000).toBe(true);
      },
    ),
  );
});

it('gives one item at least, since nothing else would ever come', () => {
  expect(fitting(['x'.repeat(100), 'y'], { room: 10, textOf: ({ length }) => length })).toEqual([
    'x'.repeat(100),
  ]);
});

it('takes no more than a host shows, and no more than a model reads well', () => {
  expect([textRoom({ maxChars: 10_000 }), answerRoom({ maxChars: 10_000 })]).toEqual([8_800, 8_800]);
  expect([textRoom({ maxChars: 1e9 }), answerRoom({ maxChars: 1e9 })]).toEqual([22_000, 44_000]);
});
