import { describe, expect, it } from 'vitest';
import { editText } from './edit-file.ts';

describe('an edit', () => {
  it('replaces what stands there once', () => {
    expect(editText('a - b', '-', '+')).toEqual({ text: 'a + b', isThere: false });
  });

  it.each([
    ['a + b', '-', '+'],
    ['one\ntwo\n', 'one\n', 'one\ntwo\n'],
    ['xx', 'x', 'xx'],
  ])('that is made again on %j changes nothing', (text, old, replacement) => {
    const first = editText(text, old, replacement);
    expect(first).toEqual({ text, isThere: true });
  });

  it('of what stands there twice, or not at all, is refused and says so', () => {
    expect(editText('a a', 'a', 'b')).toEqual({
      fault: 'the old text stands there 2 times. Take in lines around it.',
    });
    expect(editText('a', 'c', 'b')).toEqual({ fault: expect.stringContaining('does not stand there') });
  });

  it('replaces what is not yet as it is to be, beside what is', () => {
    expect(editText('f(1) g', ' g', ' g(2)')).toEqual({ text: 'f(1) g(2)', isThere: false });
  });
});
