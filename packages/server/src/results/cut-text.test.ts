import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

const NOTE = /\n\[… (\d+) of (\d+) characters left out; the whole text is the resource nexus:\/\/x …\]\n/;

it('keeps whole lines at the beginning and at the end, and says what is missing', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const cut = cutText(lines.join('\n'), 100, 'nexus://x').split('\n');
  const note = cut.findIndex((line) => line.startsWith('[…'));
  expect(cut.slice(0, note)).toEqual(lines.slice(0, note));
  expect(cut.slice(note + 1)).toEqual(lines.slice(note + 1 - cut.length));
  expect(note).toBeGreaterThan(3);
  expect(cut.length - note).toBeGreaterThan(3);
});

it('cuts between characters, keeps about what it should, and counts right', () => {
  const text = fc.string({ minLength: 200, unit: fc.constantFrom('a', '😀', 'é', '\n') });
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 150 }), (whole, keepChars) => {
      const cut = cutText(whole, keepChars, 'nexus://x');
      const [head = '', left, total, tail = ''] = cut.split(NOTE);
      expect(Number(total)).toBe(whole.length);
      expect(head.length + tail.length).toBeLessThanOrEqual(keepChars + 2);
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      expect(whole.length - head.length - tail.length - Number(left)).toBeLessThanOrEqual(1);
      expect(Buffer.from(cut).toString()).toBe(cut);
    }),
  );
});
