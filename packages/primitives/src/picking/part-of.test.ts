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
