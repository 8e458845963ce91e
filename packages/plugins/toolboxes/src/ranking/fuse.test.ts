import { describe, expect, it } from 'vitest';
import { fuse } from './fuse.ts';
import { bestOf } from './scores.ts';

const scores = (...values: number[]) => Float64Array.from(values);
const found = (...values: number[]) => ({ scores: scores(...values), named: [] });

describe('fused results', () => {
  it('give 1 to what is first for every query, and nothing to what none found', () => {
    expect([...fuse([found(9, 0, 1), found(3, 0, 0)])]).toEqual([
      expect.closeTo(1),
      0,
      expect.closeTo(0.216, 3),
    ]);
  });

  it('put what is first for one query ahead of a crowd that is near for both', () => {
    const crowd = Array.from({ length: 8 }, (_, index) => 60 - index);
    const fused = fuse([found(100, ...crowd, 0), found(0, ...crowd.toReversed(), 100)]);
    expect(bestOf(fused, 1)).toEqual([0]);
  });

  it('count the first query for more', () => {
    expect(bestOf(fuse([found(5, 0), found(0, 5)]), 2)).toEqual([0, 1]);
  });

  it('put what a query is the name of ahead of what has its words and more', () => {
    const near = { scores: scores(10, 9), named: [1] };
    expect(bestOf(fuse([near]), 2)).toEqual([1, 0]);
    expect(bestOf(fuse([{ ...near, named: [] }]), 2)).toEqual([0, 1]);
  });

  it('are empty where no query found anything', () => {
    expect([...fuse([found(0, 0)])]).toEqual([0, 0]);
    expect([...fuse([])]).toEqual([]);
  });
});

describe('the best of scores', () => {
  it('come first to last, equal ones in their order, what was not found left out', () => {
    expect(bestOf(scores(1, 3, 0, 3, 2), 10)).toEqual([1, 3, 4, 0]);
    expect(bestOf(scores(1, 3, 0, 3, 2), 2)).toEqual([1, 3]);
    expect(bestOf(scores(0, 0), 2)).toEqual([]);
  });
});
