import { expect, it } from 'vitest';
import { named, withStake } from './stake.ts';

const ALWAYS = ['architect', 'security', 'catfish', 'scope_steward'];

it.each([
  ['nothing of theirs', 'Keep the state in SQLite.', []],
  ['what developers work with, as part of a symbol', 'Call it readConfig.', ['devex']],
  ['a plural, in a path', 'Move src/benchmarks/run.ts.', ['ai_ml']],
  ['users', 'Tell customers first.', ['pm']],
  ['no more than a part of a word', 'Use the latest capitals.', []],
])('of a matter that speaks of %s, whoever has no stake is left out with the reason', (_, text, also) => {
  const { voters, leftOut } = withStake(text, false);
  expect([...voters].sort()).toEqual([...ALWAYS, ...also].sort());
  expect(leftOut.map(({ voter }) => voter).sort()).toEqual(
    ['ai_ml', 'devex', 'pm'].filter((voter) => !also.includes(voter as never)),
  );
  for (const { why } of leftOut) expect(why).toMatch(/^Nothing in it speaks of [a-z]/);
});

it('of a quick panel nobody is added', () => {
  expect(withStake('Tell customers of the API.', true)).toEqual({
    voters: ['architect', 'security', 'scope_steward'],
    leftOut: [],
  });
});

it('whom the caller names votes, with a stake or not', () => {
  const { voters, leftOut } = named(['pm', 'architect'], 'It was not named.');
  expect(voters).toEqual(['architect', 'pm']);
  expect(leftOut).toHaveLength(5);
});
