import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PartWanted, partOf } from './part-of.ts';
import { partThatFits } from './part-that-fits.ts';
import { readResult } from './whole-of.ts';

const uri = `nexus://results/${crypto.randomUUID()}`;

const reading = (whole: unknown, room: number) => async (wanted: Partial<PartWanted>) => {
  const part = await partThatFits({
    wanted: { paths: [], maxLineChars: Math.floor(room / 2), ...wanted },
    take: (each) => partOf(whole, each),
    room,
    whereWhole: async () => uri,
  });
  if ('fault' in part) throw new Error(part.fault);
  return part;
};

/** Of a room, a few or many times as much. */
const text = fc
  .tuple(fc.constantFrom('a', 'so "it" goes\n', '😀'), fc.nat(4_000))
  .map(([unit, times]) => unit.repeat(times));
const member = fc.oneof(text, fc.nat(), fc.record({ id: fc.nat(), text }), fc.array(text, { maxLength: 4 }));
const names = fc.tuple(fc.string({ maxLength: 3 }), fc.nat(2_000)).map(([name, of]) => name.padEnd(of, 'n'));

it('a walk by offset comes to the end of any list and map, whatever in it no answer holds', async () => {
  const list = fc.array(member, { minLength: 1, maxLength: 30 });
  const map = fc
    .array(fc.tuple(names, member), { minLength: 30, maxLength: 50 })
    .map((entries) => Object.fromEntries(entries.map(([name, each], at) => [`${at}${name}`, each])));
  await fc.assert(
    fc.asyncProperty(fc.oneof(list, map), fc.constantFrom(880, 5_000, 22_000), async (whole, room) => {
      const read = reading(whole, room);
      const all = Object.entries(whole);
      let seen = 0;
      while (seen < all.length) {
        const { text: said, notes } = await read({ offset: seen });
        expect(notes.reduce((sum, note) => sum + note.length, said.length)).toBeLessThanOrEqual(room);
        const page = Object.entries(readResult(said) as object);
        const [, next = all.length] = / Go on with offset (\d+)\./.exec(notes.join(' ')) ?? [];
        const count = Number(next) - seen;
        expect(count).toBeGreaterThan(0);
        const expected = all.slice(seen, seen + count).map(([, each]) => each);
        if (/do not fit, so this is the beginning/.test(notes.join(' '))) expect(count).toBe(1);
        else expect(page.map(([, each]) => each)).toEqual(expected);
        seen += count;
      }
    }),
    { numRuns: 60 },
  );
});

it('what no answer holds is read by the path that stands beside its beginning, however long its name', async () => {
  const long = 'n'.repeat(2_000);
  const whole = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`${at}${long}`, { text: `${at}\n`.repeat(3_000) }]),
  );
  const read = reading(whole, 880);
  const { notes } = await read({ offset: 7 });
  expect(notes[0]).toBe('Members 8 to 8 of 30. Go on with offset 8.');
  expect(notes[1]).toContain('It has "[7].text" (');
  const { text: said, notes: lines } = await read({ paths: ['[7].text'], offset: 0 });
  expect(said).toMatch(/^7\n7\n/);
  expect(lines[0]).toMatch(/^Lines 1 to \d+ of 3000\. Go on with offset \d+\.$/);
});

it('an item beside what is too long for it is there, and each part of that by its path', async () => {
  const whole = { items: [{ id: 1 }, { id: 2 }], about: 'x'.repeat(30_000) };
  const { text: said, notes } = await reading(whole, 22_000)({ offset: 1 });
  expect(JSON.parse(said)).toMatchObject({ items: [{ id: 2 }], about: expect.stringMatching(/^xxx/) });
  expect(notes[0]).toBe('Items 2 to 2 of 2 of items.');
  expect(notes[1]).toContain('"items" (1 item, 10 characters), "about" (30002 characters)');
});

it('says where all of it is, where there is not even room for a beginning', async () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ name: `${id}`.padStart(300) }));
  const part = await partThatFits({
    wanted: { paths: ['[].name'] },
    take: (wanted) => partOf(rows, wanted),
    room: 90,
    whereWhole: async () => 'nexus://results/all',
  });
  expect(part).toMatchObject({ value: '', text: '' });
  expect('notes' in part ? part.notes.join(' ') : '').toMatch(
    /no room here: .* from nexus:\/\/results\/all\.$/,
  );
});
