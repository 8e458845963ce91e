import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

const HEAD = /^\[… (\d+) of (\d+) characters left out; the whole text is the resource nexus:\/\/x …\]\n/;
const HERE = /\n\[… \d+ characters left out here …\]\n/;

it('keeps whole lines at the beginning and at the end, and says first what is missing', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const [note, ...cut] = cutText(lines.join('\n'), 100, 'nexus://x').split('\n');
  expect(note).toContain('nexus://x');
  const gap = cut.findIndex((line) => line.startsWith('[…'));
  expect(cut.slice(0, gap)).toEqual(lines.slice(0, gap));
  expect(cut.slice(gap + 1)).toEqual(lines.slice(gap + 1 - cut.length));
  expect(gap).toBeGreaterThan(3);
  expect(cut.length - gap).toBeGreaterThan(3);
});

it('cuts between characters, keeps about what it should, and counts right', () => {
  const text = fc.string({ minLength: 200, unit: fc.constantFrom('a', '😀', 'é', '\n') });
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 150 }), (whole, keepChars) => {
      const cut = cutText(whole, keepChars, 'nexus://x');
      const [, left, total] = HEAD.exec(cut) ?? [];
      const [head = '', tail = ''] = cut.replace(HEAD, '').split(HERE);
      expect(Number(total)).toBe(whole.length);
      expect(head.length + tail.length).toBeLessThanOrEqual(keepChars + 2);
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      expect(whole.length - head.length - tail.length - Number(left)).toBeLessThanOrEqual(1);
      expect(Buffer.from(cut).toString()).toBe(cut);
    }),
  );
});
