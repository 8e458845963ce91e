import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Part, type PartWanted, partOf } from './part-of.ts';

const RESULT = { hits: [{ file: 'a', at: { line: 1 } }], total: 1 };

it.each([
  [['hits[].name'], 'Nothing is at "hits[].name"; "hits[]" has "file", "at".'],
  [['hits.name'], 'Nothing is at "hits.name"; the items of "hits" have "file", "at".'],
  [['hits[].at.row'], 'Nothing is at "hits[].at.row"; "hits[].at" has "line".'],
  [['hit'], 'Nothing is at "hit"; it has "hits", "total".'],
  [
    ['hits[].name', 'sum', 'hits[].path'],
    'Nothing is at "hits[].name", "hits[].path"; "hits[]" has "file", "at". Nothing is at "sum"; it has "hits", "total".',
  ],
])('a path that leads nowhere is told what is where it ends: %j', (paths, fault) => {
  expect(partOf(RESULT, { paths })).toEqual({ fault });
});

it('lines are counted in a text that a structure only holds, whole or picked', () => {
  const result = { content: 'one\ntwo\nthree' };
  const part = { value: 'two\n', notes: ['Lines 2 to 2 of 3. Go on with offset 2.'] };
  expect(partOf(result, { paths: [], offset: 1, limit: 1 })).toMatchObject(part);
  expect(partOf({ ...result, size: 3 }, { paths: ['content'], offset: 1, limit: 1 })).toMatchObject(part);
  expect(partOf({ ...result, size: 3 }, { paths: [], offset: 1 })).toHaveProperty('fault');
});

it.each<[string, unknown, string[], unknown, string[]]>([
  ['a text', { result: { text: 'a\nb\nc' } }, [], 'b\n', ['Lines 2 to 2 of 3. Go on with offset 2.']],
  [
    'a text of an item',
    { rows: [{ id: 1 }, { text: 'a\nb' }] },
    ['rows[1].text'],
    'b',
    ['Lines 2 to 2 of 2.'],
  ],
  [
    'a list',
    { job: { result: { 'a.b': [1, 2, 3] } }, id: 1 },
    ['job.result'],
    { job: { result: { 'a.b': [2] } } },
    ['Items 2 to 2 of 3 of job.result["a.b"]. Go on with offset 2.'],
  ],
  [
    'a list of an item',
    { rows: [{ cells: [1, 2] }, 2] },
    ['rows[0].cells'],
    { rows: [{ cells: [2] }] },
    ['Items 2 to 2 of 2 of rows[0].cells.'],
  ],
  [
    'one list beside what is none',
    { result: { rows: [1, 2], total: 2 } },
    [],
    { result: { rows: [2], total: 2 } },
    ['Items 2 to 2 of 2 of result.rows.'],
  ],
  [
    'items by every item, which are a list',
    { rows: [{ t: 'a\nb' }] },
    ['rows[].t'],
    { rows: [] },
    ['Nothing is at offset 1: the items of rows end at 1.'],
  ],
  [
    'an item with several members, by its list',
    { rows: [{ t: 'a', u: 'b' }] },
    ['rows[0]'],
    { rows: [] },
    ['Nothing is at offset 1: the items of rows end at 1.'],
  ],
])('offset and limit lead into %s, at any depth', (_, result, paths, value, notes) => {
  expect(partOf(result, { paths, offset: 1, limit: 1 })).toMatchObject({ value, notes });
});

/** The parts of a result, by the offsets that they say. */
function partsOf(result: unknown, wanted: Partial<PartWanted>) {
  const parts: Extract<Part, { readonly value: unknown }>[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const part = partOf(result, { paths: [], ...wanted, offset });
    if ('fault' in part) throw new Error(part.fault);
    parts.push(part);
    const [, next] = / Go on with offset (\d+)\.$/.exec(part.notes.at(-1) ?? '') ?? [];
    offset = next === undefined ? undefined : Number(next);
  }
  return parts;
}

it('parts of a text are all of it together, whatever it is and however long its lines are', () => {
  const text = fc.string({
    maxLength: 200,
    unit: fc.constantFrom('a', '😀', '\r\n', '\n', '\r', 'é', '\ud83d'),
  });
  const wanted = fc.record({
    maxLineChars: fc.integer({ min: 2, max: 20 }),
    limit: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    maxChars: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(text, wanted, (whole, want) => {
      const parts = partsOf({ deep: { text: whole } }, { ...want, paths: ['deep.text'] });
      expect(parts.map(({ value }) => value).join('')).toBe(whole);
      for (const [at, { value, notes }] of parts.entries()) {
        if (!/\p{Surrogate}/u.test(whole)) expect(value).not.toMatch(/\p{Surrogate}/u);
        // Whether a line ends where a part ends is said, too.
        const isEnd = at === parts.length - 1 || String(value).endsWith('\n');
        expect(/; the last goes on in the next/.test(notes.at(-1) ?? '')).toBe(!isEnd);
      }
    }),
    { numRuns: 500 },
  );
});

it('items and members come all, each once and in order, in parts of any size', () => {
  const items = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 30 });
  const maps = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 21, maxKeys: 40 });
  fc.assert(
    fc.property(fc.oneof(items, maps), fc.integer({ min: 1, max: 200 }), (whole, maxChars) => {
      const parts = partsOf({ whole }, { paths: ['whole'], maxChars }).map(
        ({ value }) => (value as { whole: object }).whole,
      );
      const all = parts.flatMap((each) => (Array.isArray(each) ? each : Object.entries(each)));
      expect(all).toEqual(Array.isArray(whole) ? whole : Object.entries(whole));
    }),
  );
});

it('each page says by which path its first is had alone, however long its name and the path to it are', () => {
  const long = (at: number) => `${at}${'n'.repeat(700)}`;
  const map = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [long(at), { [long(at)]: [at, 'x'] }]),
  );
  for (const at of [0, 7, 29]) {
    const part = partOf({ map }, { paths: ['map'], offset: at, limit: 1 });
    const { path = '' } = ('page' in part && part.page?.first) || {};
    expect(path).toBe(`map[${at}]`);
    expect(partOf({ map }, { paths: [path] })).toMatchObject({
      value: { map: { [long(at)]: { [long(at)]: [at, 'x'] } } },
    });
    const inside = partOf({ map }, { paths: [path], offset: 1 });
    expect(inside).toMatchObject({
      notes: [`Items 2 to 2 of 2 of map[${at}][0].`],
      page: { first: { path: `map[${at}][0][1]`, value: 'x' } },
    });
  }
  const rows = partOf({ rows: [{ a: 1 }, { a: 2, b: 3 }] }, { paths: ['rows[1]'], offset: 0 });
  expect(rows).toMatchObject({ page: { first: { path: 'rows[1]', value: { a: 2, b: 3 } } } });
});

it('what stands behind thousands of members is read, too', () => {
  let deep: unknown = ['a', 'b'];
  for (let level = 0; level < 10_000; level++) deep = { a: deep };
  const part = partOf(deep, { paths: [], limit: 1 });
  expect(part).toMatchObject({ notes: [expect.stringMatching(/^Items 1 to 1 of 2 of a(?:\.a)+\.?…\./)] });
  expect(JSON.stringify('notes' in part && part.notes).length).toBeLessThan(600);
});
