import library from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { canonical } from './canonical.ts';
import { inOrder } from './in-order.ts';

const reference = library as unknown as (value: unknown) => string | undefined;

describe('canonical', () => {
  it('writes what the library writes, of any JSON', () => {
    const key = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.integer().map(String),
      fc.constantFrom('a', 'b', 'é', '😀', '\uFFFD'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false, -0, 1e21, 1e-7),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({ unit: anyCharacter }),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (each) => {
        const text = canonical(each);
        expect(text).toBe(reference(each));
        const turned = JSON.parse(JSON.stringify(each), (_, member) =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        );
        expect(canonical(turned)).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['keys that are numbers', { b: 1, 10: 2, 9: 3 }],
    ['a key __proto__ out of order', JSON.parse('{"b":1,"__proto__":{"d":2,"c":3}}')],
    ['what is left out', { b: undefined, a: [undefined, Symbol('x')] }],
    ['what says itself how it is written', { at: new Date(0), own: { toJSON: () => ({ b: 1, a: 2 }) } }],
    ['a list with holes', new Array(3)],
    ['an object of a class', { set: new Set([1]), text: new String('x') }],
  ])('leaves %s to the library', (_, value) => {
    expect(canonical(value)).toBe(reference(value));
  });

  it('looks at what is out of order once, however deep it lies', () => {
    let deep: object = {};
    for (let depth = 0; depth < 500; depth += 1) deep = { b: deep, a: depth };
    expect(canonical(deep)).toBe(reference(deep));
  });

  it('takes no number that is none', () => {
    expect(() => canonical({ a: Number.NaN })).toThrow('NaN');
    expect(canonical(undefined)).toBe('');
  });

  it('copies nothing that is in order', () => {
    const value = {
      a: [
        { b: 1, c: 2 },
        { b: 3, c: 4 },
      ],
      z: null,
    };
    expect(inOrder(value)).toBe(value);
    const mixed = { list: [{ b: 1 }, { d: 1, c: 2 }] };
    const ordered = inOrder(mixed) as typeof mixed;
    expect(ordered.list[0]).toBe(mixed.list[0]);
    expect(mixed).toEqual({ list: [{ b: 1 }, { d: 1, c: 2 }] });
    expect(JSON.stringify(ordered)).toBe('{"list":[{"b":1},{"c":2,"d":1}]}');
  });
});
