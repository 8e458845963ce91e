import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { partOf } from '../picking/part-of.ts';
import { beginningOf } from './beginning-of.ts';
import { cutJson } from './cut-json.ts';
import { cutText } from './cut-text.ts';
import { shrinkJson } from './shrink-json.ts';

/** Of a character that stands as two. */
const HALF = /\p{Surrogate}/u;

const uri = 'nexus://x';

it('is whole lines within its room, and says where the text goes on', () => {
  const line = fc.string({ maxLength: 80, unit: fc.constantFrom('a', '"', '😀', ' ', '\u0001', '\ud83d') });
  const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, fc.nat(2_000), fc.boolean(), (whole, room, isSaidTwice) => {
      const { text: begun, lines } = beginningOf(whole, { room, isSaidTwice, uri });
      expect(whole.startsWith(begun)).toBe(true);
      expect(begun.length + (isSaidTwice ? JSON.stringify(begun).length : 0)).toBeLessThanOrEqual(room + 2);
      if (lines === undefined) return;
      const shown = whole.split('\n').slice(0, lines).join('\n');
      expect(begun).toBe(shown);
      const rest = partOf(whole, { paths: [], offset: lines });
      if (shown.length < whole.length) expect(rest).toHaveProperty('value', whole.slice(shown.length + 1));
    }),
  );
});

it('names no line to go on from behind one that reading on counts as several', () => {
  const whole = `${'x'.repeat(12_000)}\n${'y\n'.repeat(40_000)}`;
  expect(beginningOf(whole, { room: 44_000, uri })).not.toHaveProperty('lines');
  expect(beginningOf(whole.slice(12_001), { room: 44_000, uri })).toMatchObject({ lines: 22_000 });
  const fifth = (chars: number) => `${'x'.repeat(chars - 1)}\n`;
  expect(beginningOf(`${fifth(100)}${fifth(700)}`, { room: 500, uri })).toMatchObject({ lines: 1 });
  expect(beginningOf(`${fifth(101)}${fifth(700)}`, { room: 500, uri })).not.toHaveProperty('lines');
});

it('is of a first line that is too long its beginning, between characters', () => {
  const { text, lines } = beginningOf('😀'.repeat(5_000), { room: 1_001, isSaidTwice: true, uri });
  expect(text).toMatch(/^(?:😀){100,}$/u);
  expect(lines).toBeUndefined();
});

it('ends for JSON and other text however little room there is, and so does every other cut', () => {
  const json = fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 4 }), fc.string());
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('{', '[', ']', '}', '"', '\\', '\n', '1', '\ude00'), maxLength: 60 }),
    json.map(([before, value, after]) => `${before}\n${JSON.stringify(value)}\n${after}`),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: -10, max: 300 }), fc.boolean(), (whole, room, isSaidTwice) => {
      const { text: begun } = beginningOf(whole, { room, isSaidTwice, uri });
      if (!HALF.test(whole)) expect(begun).not.toMatch(HALF);
      cutText(whole, room, uri);
      cutJson(whole, room, uri);
      shrinkJson({ whole, list: [whole, whole] }, room, uri);
    }),
  );
});

describe('of JSON in a text', () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}` }));
  const indented = JSON.stringify(rows, null, 2);
  const begun = (whole: string, room: number, isSaidTwice = false) =>
    beginningOf(whole, { room, isSaidTwice, uri }).text;

  it('is no more than its room, however much of it is escaped and whatever is said of it', () => {
    const lists = fc.oneof(
      fc.array(fc.record({ id: fc.nat(), list: fc.array(fc.string(), { maxLength: 40 }) }), {
        maxLength: 60,
      }),
      fc.dictionary(fc.string(), fc.array(fc.constantFrom('', 'a'), { maxLength: 400 })),
    );
    const before = fc.constantFrom('', 'so it is\n', 'rows: ', 'a\nb\n');
    const after = fc.constantFrom('', '\nand so on\n'.repeat(40));
    fc.assert(
      fc.property(
        fc.tuple(before, lists, fc.constantFrom(0, 2), after),
        fc.integer({ min: 500, max: 3_000 }),
        fc.boolean(),
        ([said, value, indent, rest], room, isSaidTwice) => {
          const text = begun(`${said}${JSON.stringify(value, null, indent)}${rest}`, room, isSaidTwice);
          const twice = isSaidTwice ? JSON.stringify(text).length : 0;
          expect(text.length + twice).toBeLessThanOrEqual(room + 2);
        },
      ),
    );
  });

  it.each([false, true])('has the first of a text that is all of it, said twice: %s', (isSaidTwice) => {
    const [note = '', json = ''] = begun(indented, 3_000, isSaidTwice).split('\n');
    const shown = JSON.parse(json) as typeof rows;
    expect(shown).toEqual(rows.slice(0, shown.length));
    expect(note).toContain(`it has here of its items ${shown.length} of 200 …]`);
    expect(shown.length).toBeGreaterThan(isSaidTwice ? 30 : 60);
  });

  it.each([
    ['on lines of its own', 'Found:\n', false, 60],
    ['on lines of its own, said twice', 'Found:\n', true, 20],
    ['after a label', 'Found:\nrows: ', false, 60],
    ['after many words', `${'so it is\n'.repeat(100)}rows: `, false, 30],
    ['after many words, said twice', `${'so it is\n'.repeat(50)}rows: `, true, 10],
  ])(
    'has what stands before it, and its first where no more has room: %s',
    (_, before, isSaidTwice, least) => {
      for (const json of [
        `${indented}\nso many.`,
        `${JSON.stringify(rows)}\nso many.`,
        JSON.stringify(rows),
      ]) {
        const text = begun(`${before}${json}`, 2_000, isSaidTwice);
        expect(text.startsWith(before)).toBe(true);
        const [shown = '', note] = text.slice(before.length).split('\n');
        const kept = JSON.parse(shown) as typeof rows;
        expect(kept).toEqual(rows.slice(0, kept.length));
        expect(kept.length).toBeGreaterThan(least);
        expect(note).toBe(`[… it has here of its items ${kept.length} of 200 …]`);
      }
    },
  );

  it('says no more of it than leaves room for some of it', () => {
    const lists = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`a list of numbers by name ${at}`, rows.map(({ id }) => id)]),
    );
    const [, shown = '', note] = begun(`Found:\n${JSON.stringify(lists)}`, 1_000).split('\n');
    expect(note).toMatch(/^\[… it has here of .{50,200} and \d more fewer …\]$/);
    expect(JSON.parse(shown)).toHaveProperty(['a list of numbers by name 0', 3], 3);
  });

  it('says nothing of what has only lost its white space', () => {
    const few = rows.slice(0, 20);
    expect(begun(`Found:\n${JSON.stringify(few, null, 8)}\nso many.`, 800)).toBe(
      `Found:\n${JSON.stringify(few)}`,
    );
  });

  it('leaves as it was what stands whole before the end, and what has room', () => {
    const few = JSON.stringify(rows.slice(0, 3), null, 2);
    const before = `Found:\n${few}\n`;
    expect(begun(`${before}${'so it is\n'.repeat(100)}`, before.length + 50)).toBe(
      `${before}${'so it is\n'.repeat(5)}`.trimEnd(),
    );
    const whole = `Found:\n${few}`;
    expect(begun(whole, whole.length)).toBe(whole);
  });

  it('has none of what comes after the end', () => {
    const text = `${'so it is\n'.repeat(100)}${JSON.stringify(rows.slice(0, 3))}\n`;
    expect(begun(text, 93)).toBe('so it is\n'.repeat(10).trimEnd());
    expect(begun(`so it is, and goes on\n${JSON.stringify(rows.slice(0, 3))}\n`, 10)).toBe('so it is, ');
    expect(begun('\nrows: [1]', 0)).toBe('');
  });
});
