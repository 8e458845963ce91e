import { describe, expect, it } from 'vitest';
import { firstDifference } from './line-difference.ts';

describe('firstDifference', () => {
  it('finds none in equal texts, whatever their line endings', () => {
    expect(firstDifference('a\nb', 'a\r\nb')).toBeUndefined();
  });

  it('gives the line, counted from 1, with both texts', () => {
    expect(firstDifference('a\nb', 'a\nc')).toEqual({ line: 2, before: 'b', after: 'c' });
  });

  it('finds a line that is missing at the end', () => {
    expect(firstDifference('a', 'a\nb')).toEqual({ line: 2, before: '', after: 'b' });
  });
});
