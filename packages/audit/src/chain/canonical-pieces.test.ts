import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { canonical } from './canonical.ts';
import { canonicalPieces, isLarge } from './canonical-pieces.ts';

describe('canonical JSON in pieces', () => {
  it('is what is written as a whole, whatever the pieces', () => {
    const key = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('a', 'b', '__proto__', '😀'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, undefined, -0, 1e21),
        fc.string({ unit: anyCharacter, maxLength: 300 }),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 6 }), (each, pieceWeight) => {
        expect([...canonicalPieces(each, pieceWeight)].join('')).toBe(canonical(each));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a date', { b: [new Date(0), 1, 2], a: 1 }],
    ['a list with holes', { list: new Array(3), a: [1, 2] }],
    ['a list whose first members are left out', { a: undefined, b: undefined, c: [1, 2, 3] }],
    ['nothing', undefined],
  ])('leaves %s as it is', (_, value) => {
    expect([...canonicalPieces(value, 1)].join('')).toBe(canonical(value));
  });

  it('has no piece of more than some values, however deep they lie', () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const value = { within: { rows, more: { rows } } };
    const lengths = [...canonicalPieces(value, 300)].map((piece) => piece.length);
    expect(Math.max(...lengths)).toBeLessThan(300 * 20);
    expect(lengths.length).toBeGreaterThan(100);
    expect(isLarge(value)).toBe(true);
    expect(isLarge(rows.slice(0, 10))).toBe(false);
  });
});
