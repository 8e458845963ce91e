import { visibleContent } from '@nexus/primitives';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutLine } from './cut-line.ts';
import { linePart, linesOf, numberedLines } from './numbered-lines.ts';

const text = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', '😀', '\t', '\u0001', '\u202e', 'é', 'word '),
      fc.nat(200),
      fc.constantFrom('', '\n', '\r\n'),
    ),
    { maxLength: 12 },
  )
  .map((runs) => runs.map(([unit, times, end]) => unit.repeat(times) + end).join(''));

it('lines in parts are all of them, at whatever size, by the places that each part says', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 60, max: 400 }), (whole, room) => {
      const lines = linesOf(whole);
      const seen: string[] = [];
      for (let from = 1; from <= lines.length; ) {
        const { text: said, last } = numberedLines(lines, { from, to: lines.length }, room);
        for (const [at, line] of said.split('\n').entries()) {
          const number = from + at;
          const [, begun = '', left, column] =
            new RegExp(
              `^${number}\t(.*?)(?:… \\((\\d+) more characters: lines "${number}:(\\d+)"\\))?$`,
              'su',
            ).exec(line) ?? [];
          let shown = begun;
          let next = Number(column);
          const of = lines[number - 1] ?? '';
          if (left !== undefined) expect(Number(left)).toBe(of.length - next + 1);
          while (next <= of.length) {
            const part = linePart(of, next, room);
            expect(part.text.length).toBeLessThanOrEqual(Math.max(room, 6));
            expect(part.next).toBeGreaterThan(next);
            shown += part.text;
            next = part.next;
          }
          seen.push(shown);
        }
        expect(said.length).toBeLessThanOrEqual(room + 60);
        from = last + 1;
      }
      expect(seen).toEqual(lines.map(visibleContent));
    }),
    { numRuns: 300 },
  );
});

it('a hit’s line has what was looked for, and says how much of it stands before and after', () => {
  const line = fc.string({ minLength: 250, maxLength: 900, unit: fc.constantFrom('a', '😀', 'é') });
  fc.assert(
    fc.property(line, fc.nat(900), (whole, at) => {
      const column = Math.min(at, whole.length - 1);
      const said = cutLine(whole, { line: 7, column });
      const [, before = '0', shown = '', left = '0', next = `${whole.length + 1}`] =
        /^(?:\((\d+) characters before\) …)?(.*?)(?:… \((\d+) more characters: lines "7:(\d+)"\))?$/su.exec(
          said,
        ) ?? [];
      const from = Number(before);
      expect(whole.slice(from, from + shown.length)).toBe(shown);
      expect([from + shown.length + Number(left), Number(next)]).toEqual([
        whole.length,
        from + shown.length + 1,
      ]);
      expect(from <= column && column < from + shown.length + 1).toBe(true);
      expect(said).not.toMatch(/\p{Surrogate}/u);
      expect(shown.length).toBeLessThanOrEqual(300);
    }),
  );
});
