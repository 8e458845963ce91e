import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEnd, cutEndCounted, cutMiddle } from './cut-end.ts';

const HALF = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe('a text that is cut', () => {
  it('is whole where it is no longer than that', () => {
    for (const cut of [cutEnd, cutEndCounted, cutMiddle]) {
      expect(cut('abcdef', 6)).toBe('abcdef');
      expect(cut('', 0)).toBe('');
    }
  });

  it('at its end has its beginning and an ellipsis', () => {
    expect(cutEnd('abcdefg', 6)).toBe('abcdef…');
  });

  it('at its end says how many characters are left out, those of one that would be halved among them', () => {
    expect(cutEndCounted('abcdefg', 6)).toBe('abcdef… (1 more characters)');
    expect(cutEndCounted('abcde😀f', 6)).toBe('abcde… (3 more characters)');
    expect(cutEndCounted('abcdefg', 6, 50)).toBe('abcdef… (44 more characters)');
    expect(cutEndCounted('abcdefg', 10, 50)).toBe('abcdefg… (43 more characters)');
  });

  it('in its middle has two thirds of its beginning, its end, and how much is missing', () => {
    expect(cutMiddle('abcdefghij', 6, '; see x')).toBe('abcd\n[… 4 of 10 characters left out; see x …]\nij');
  });

  it('has no half of a character, wherever it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '😀', 'ß') });
    fc.assert(
      fc.property(text, fc.nat(30), (whole, maxChars) => {
        expect(cutEnd(whole, maxChars)).not.toMatch(HALF);
        expect(cutMiddle(whole, maxChars)).not.toMatch(HALF);
        expect(cutEndCounted(whole, maxChars)).not.toMatch(HALF);
        expect(cutEnd(whole, maxChars).length).toBeLessThanOrEqual(maxChars + 1);
      }),
    );
  });
});
