import { expect, it } from 'vitest';
import { partOf } from './part-of.ts';

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
  const part = { value: 'two', notes: ['Lines 2 to 2 of 3. Go on with offset 2.'] };
  expect(partOf(result, { paths: [], offset: 1, limit: 1 })).toEqual(part);
  expect(partOf({ ...result, size: 3 }, { paths: ['content'], offset: 1, limit: 1 })).toEqual(part);
  expect(partOf({ ...result, size: 3 }, { paths: [], offset: 1 })).toHaveProperty('fault');
});

it.each<[string, unknown, string[], unknown, string[]]>([
  ['a text', { result: { text: 'a\nb\nc' } }, [], 'b', ['Lines 2 to 2 of 3. Go on with offset 2.']],
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
    ['Items of job.result["a.b"] 2 to 2 of 3. Go on with offset 2.'],
  ],
  [
    'a list of an item',
    { rows: [{ cells: [1, 2] }, 2] },
    ['rows[0].cells'],
    { rows: [{ cells: [2] }] },
    ['Items of rows[0].cells 2 to 2 of 2.'],
  ],
  [
    'one list beside what is none',
    { result: { rows: [1, 2], total: 2 } },
    [],
    { result: { rows: [2], total: 2 } },
    ['Items of result.rows 2 to 2 of 2.'],
  ],
  [
    'items by every item, which are a list',
    { rows: [{ t: 'a\nb' }] },
    ['rows[].t'],
    { rows: [] },
    ['Nothing is at offset 1: Items of rows end at 1.'],
  ],
  [
    'an item with several members, by its list',
    { rows: [{ t: 'a', u: 'b' }] },
    ['rows[0]'],
    { rows: [] },
    ['Nothing is at offset 1: Items of rows end at 1.'],
  ],
])('offset and limit lead into %s, at any depth', (_, result, paths, value, notes) => {
  expect(partOf(result, { paths, offset: 1, limit: 1 })).toEqual({ value, notes });
});

it('a text is read whole by its lines, of a long one piece by piece, no character halved', () => {
  const text = `${'😀'.repeat(20_000)}\n\nshort\n${'x'.repeat(10_001)}\n`;
  let read = '';
  for (let offset = 0; ; ) {
    const part = partOf({ deep: { text } }, { paths: ['deep.text'], offset, limit: 1 });
    if ('fault' in part) throw new Error(part.fault);
    expect(String(part.value).length).toBeLessThanOrEqual(10_000);
    expect(part.value).not.toMatch(/^[\uDC00-\uDFFF]/);
    const [, at] =
      /^Lines (\d+) to \d+ of 9, a line of more than 10000 characters counted as several\./.exec(
        part.notes[0] ?? '',
      ) ?? [];
    expect(Number(at)).toBe(offset + 1);
    // Lines after their ends: a piece of 10 000 characters has none.
    read += String(part.value).length >= 10_000 ? part.value : `${part.value}\n`;
    const next = /Go on with offset (\d+)\.$/.exec(part.notes[0] ?? '')?.[1];
    if (next === undefined) break;
    offset = Number(next);
  }
  expect(read.slice(0, -1).replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
  expect(partOf(text, { paths: [], offset: 0, limit: 100 })).toEqual({ value: text, notes: [] });
});

it('what stands behind thousands of members is read, too', () => {
  let deep: unknown = ['a', 'b'];
  for (let level = 0; level < 10_000; level++) deep = { a: deep };
  const part = partOf(deep, { paths: [], limit: 1 });
  expect(part).toMatchObject({ notes: [expect.stringMatching(/^Items of a(?:\.a)+\.?… 1 to 1 of 2\./)] });
  expect(JSON.stringify('notes' in part && part.notes).length).toBeLessThan(600);
});
