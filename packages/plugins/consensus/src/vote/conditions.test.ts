import { expect, it } from 'vitest';
import type { Ballot } from '../ballots/ballot.ts';
import { conditionsOf } from './conditions.ts';

const ballot = (voter: Ballot['voter'], choice: Ballot['choice'], ...conditions: string[]): Ballot => ({
  ...{ voter, choice, conditions, model: 'm:1', confidence: 0.5, reasoning: 'So.' },
});

it('conditions are those of ballots for something, the same words once', () => {
  const ballots = [
    ballot('pm', 'approve', 'It is tested.'),
    ballot('security', 0, 'It is tested.', 'It is told.'),
    ballot('catfish', 'reject', 'It is dropped.'),
    ballot('architect', 'abstain', 'It is late.'),
  ];
  expect(conditionsOf(ballots)).toEqual([
    { text: 'It is tested.', by: ['pm', 'security'] },
    { text: 'It is told.', by: ['security'] },
  ]);
});
