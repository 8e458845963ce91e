import { expect, it } from 'vitest';
import { missing } from './missing.ts';

it('names what is gone or changed, and takes what was added or put in another order', () => {
  const before = {
    tasks: [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B' },
    ],
    total: 2,
  };
  const tasks = [
    { id: 'b', title: 'B', labels: [] },
    { id: 'a', title: 'A', age: 7 },
  ];
  expect(missing(before, { total: 2, tasks })).toEqual([]);
  expect(missing(before, { total: 2, tasks: tasks.slice(1) })).toEqual(['tasks[1]: {"id":"b","title":"B"}']);
  expect(missing(before, { total: 1, tasks })).toEqual(['total: 2 is 1']);
  expect(missing({ a: [1], b: { c: 1 } }, { a: 1 })).toEqual(['a', 'b']);
});

it('takes what moves by itself', () => {
  expect(missing({ pid: 1, age: 3, title: 'A' }, { pid: 2, title: 'A' })).toEqual([]);
});
