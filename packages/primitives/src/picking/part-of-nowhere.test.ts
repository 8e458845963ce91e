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
