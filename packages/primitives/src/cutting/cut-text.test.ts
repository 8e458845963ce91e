import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';
import { jsonBlocks } from './json-blocks.ts';

const HEAD = /^\[… (\d+) of (\d+) characters left out; the whole text is the resource nexus:\/\/x …\]\n/;
const HERE = /\n\[… \d+ characters left out here …\]\n/;

it('keeps whole lines at the beginning and at the end, and says first what is missing', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const [note, ...cut] = cutText(lines.join('\n'), 300, 'nexus://x').split('\n');
  expect(note).toContain('nexus://x');
  const gap = cut.findIndex((line) => line.startsWith('[…'));
  expect(cut.slice(0, gap)).toEqual(lines.slice(0, gap));
  expect(cut.slice(gap + 1)).toEqual(lines.slice(gap + 1 - cut.length));
  expect(gap).toBeGreaterThan(3);
  expect(cut.length - gap).toBeGreaterThan(3);
});

it('cuts between characters, is never longer than it should be, and counts right', () => {
  const text = fc.string({ minLength: 200, unit: fc.constantFrom('a', '😀', 'é', '\n') });
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 150 }), (whole, keepChars) => {
      const cut = cutText(whole, keepChars, 'nexus://x');
      const room = keepChars + 300;
      expect(cutText(whole, room, 'nexus://x').length).toBeLessThanOrEqual(room);
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

it('never cuts JSON that stands in a text: it is cut by its shape there, or left out', () => {
  const prose = fc.string({ unit: fc.constantFrom('so ', 'it is.\n', '[1] '), maxLength: 100 });
  const rows = fc.array(fc.record({ id: fc.nat(), text: fc.string() }), { minLength: 1, maxLength: 60 });
  const around = fc.constantFrom(['```json\n', '\n```'], ['rows: ', ''], ['', '']);
  const parts = fc.array(fc.tuple(prose, rows, around), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(parts, fc.constantFrom(0, 2), fc.integer({ min: 100, max: 4_000 }), (all, indent, keep) => {
      const text = all
        .map(
          ([said, value, [before, after]]) =>
            `${said}\n${before}${JSON.stringify(value, null, indent)}${after}\n`,
        )
        .join('');
      const cut = cutText(text, keep, 'nexus://x').replace(HEAD_ALSO, '');
      const shown = jsonBlocks(cut).map(({ from, to }) => JSON.parse(cut.slice(from, to)));
      const left = jsonBlocks(cut).reduceRight(
        (rest, { from, to }) => rest.slice(0, from) + rest.slice(to),
        cut,
      );
      // Nothing of an object is left where no block is.
      expect(left).not.toMatch(/[{}]|"/);
      for (const value of shown.filter((each) => JSON.stringify(each).includes('{'))) {
        const isPart = ([, whole]: (typeof all)[number]) =>
          value.every((row: unknown, at: number) => alike(row, whole[at]));
        expect(all.some(isPart)).toBe(true);
      }
    }),
  );
});

const HEAD_ALSO = /^\[… \d+ of \d+ characters left out; .* …\]\n/;

/** Where there is little room, a long text is cut and the last members are left out. */
function alike(row: unknown, whole: { id: number; text: string } | undefined): boolean {
  const { id = whole?.id, text = whole?.text } = row as { id?: number; text?: string };
  return id === whole?.id && (text === whole?.text || text?.includes('characters left out') === true);
}
