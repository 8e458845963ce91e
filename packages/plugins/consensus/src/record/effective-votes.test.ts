import { expect, it } from 'vitest';
import { effectiveVotes, type PairRecord } from './effective-votes.ts';

const seven = ['a:1', 'b:2', 'a:1', 'b:2', 'a:1', 'b:2', 'a:1'];

const all = (agreed: number, approved = 100): PairRecord[] =>
  (
    [
      ['a:1', 'a:1'],
      ['a:1', 'b:2'],
      ['b:2', 'b:2'],
    ] as const
  ).map((models) => ({
    models,
    pairs: 100,
    agreed,
    approved,
  }));

it('says that there is no record where there is none', () => {
  const { count, basis } = effectiveVotes(seven, []);
  expect(count).toBeUndefined();
  expect(basis).toMatch(/^No record: no earlier vote/);
});

it('is the number of ballots where they agree by chance only', () => {
  expect(effectiveVotes(seven, all(50))).toMatchObject({ count: 7, correlation: 0 });
});

it('is one where they always agree', () => {
  expect(effectiveVotes(seven, all(100))).toMatchObject({ count: 1, correlation: 1 });
});

it('lies between by the design effect: 7 ballots of correlation 0.5 are worth 1.75', () => {
  expect(effectiveVotes(seven, all(75))).toMatchObject({ count: 1.75, correlation: 0.5 });
});

it('is told by nothing where all ballots ever were alike', () => {
  const { count, basis } = effectiveVotes(seven, all(100, 200));
  expect(count).toBeUndefined();
  expect(basis).toContain('all alike');
});

it('does not count ballots that disagree more than by chance as more than they are', () => {
  expect(effectiveVotes(seven, all(0))).toMatchObject({ count: 7 });
});

it('takes no rate from a few pairs', () => {
  const few = all(9).map((each) => ({ ...each, pairs: 9, approved: 9 }));
  expect(effectiveVotes(seven, few).basis).toMatch(/27 recorded pairs of ballots are too few/);
});

it('says for how many of the panel’s pairs there is a record', () => {
  const [same] = all(75);
  expect(effectiveVotes(seven, same ? [same] : []).basis).toContain('6 of 21 pairs');
});
