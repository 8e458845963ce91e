import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: [{ d: null, c: 'x' }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
    // Numbers come first and by their size, as JavaScript keeps such keys; kept hashes were made of this.
    [{ b: 1, '10': 2, '9': 3, '': 4 }, '{"9":3,"10":2,"":4,"b":1}'],
    [{ é: 1, z: 2, '\u{1F600}': 3, '\uFFFD': 4 }, '{"z":2,"é":1,"😀":3,"\uFFFD":4}'],
    [JSON.parse('{"b":1,"__proto__":{"d":2,"c":3}}'), '{"__proto__":{"c":3,"d":2},"b":1}'],
    [{ at: new Date(0), left: undefined, big: 12n }, '{"at":"1970-01-01T00:00:00.000Z","big":"12"}'],
    [[undefined, 1], '[null,1]'],
    ['a', '"a"'],
    [undefined, ''],
  ])('writes %o as it always has', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('is the same in whatever order the keys come, and loses nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('throws for a cycle', () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    expect(() => canonicalJson(value)).toThrow(RangeError);
  });
});
