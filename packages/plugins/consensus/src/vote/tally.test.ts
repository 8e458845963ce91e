import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ballot, Choice } from '../ballots/ballot.ts';
import { voterNames } from '../voters/voters.ts';
import { type VoteErrorPolicy, voteErrorPolicies } from './error-policies.ts';
import { type VotingStrategy, votingStrategies } from './strategies.ts';
import { type TallyInput, tally } from './tally.ts';

const SHORT: Readonly<Record<string, Choice>> = { y: 'approve', n: 'reject', a: 'abstain', e: 'error' };

/** Ballots in short: y, n, a, e, or the number of an option. */
function ballots(said: string): Ballot[] {
  return [...said].map((letter, at) => ({
    voter: voterNames[at] ?? 'pm',
    model: `m:${at}`,
    choice: SHORT[letter] ?? Number(letter),
    confidence: 0.5,
    reasoning: 'so',
  }));
}

type Row = readonly [said: string, ...decisions: readonly ('approved' | 'rejected' | 'no_quorum')[]];

/** Of each strategy: what was said, and what that comes to under each error policy, in their order. */
const TABLE: Readonly<Record<VotingStrategy, readonly Row[]>> = {
  simple_majority: [
    ['yyyynnn', 'approved', 'approved', 'approved'],
    ['yyynnna', 'rejected', 'rejected', 'rejected'],
    ['yynn', 'rejected', 'rejected', 'rejected'],
    ['yyyaaan', 'rejected', 'rejected', 'rejected'],
    ['yyynnee', 'approved', 'rejected', 'no_quorum'],
    ['yyyynne', 'approved', 'approved', 'no_quorum'],
    ['nnnnnne', 'rejected', 'rejected', 'no_quorum'],
    ['yyyeee', 'approved', 'rejected', 'no_quorum'],
    ['yyyeeee', 'no_quorum', 'no_quorum', 'no_quorum'],
    ['aaaaaaa', 'no_quorum', 'no_quorum', 'no_quorum'],
    ['eeeeeee', 'no_quorum', 'no_quorum', 'no_quorum'],
  ],
  supermajority: [
    ['yyyyynn', 'approved', 'approved', 'approved'],
    ['yyyynnn', 'rejected', 'rejected', 'rejected'],
    ['yyn', 'approved', 'approved', 'approved'],
    ['yyyyaan', 'rejected', 'rejected', 'rejected'],
    ['yyyynne', 'approved', 'rejected', 'no_quorum'],
    ['yyyynee', 'approved', 'rejected', 'no_quorum'],
    ['yyeeeee', 'no_quorum', 'no_quorum', 'no_quorum'],
  ],
  unanimous: [
    ['yyyyyyy', 'approved', 'approved', 'approved'],
    ['yyyyyyn', 'rejected', 'rejected', 'rejected'],
    ['yyyyyya', 'rejected', 'rejected', 'rejected'],
    ['yyyyyye', 'approved', 'rejected', 'no_quorum'],
    ['yyyeeee', 'no_quorum', 'no_quorum', 'no_quorum'],
  ],
  weighted: [
    ['yyyynnn', 'approved', 'approved', 'approved'],
    ['yyynnnn', 'rejected', 'rejected', 'rejected'],
    ['yyynnee', 'approved', 'rejected', 'no_quorum'],
    ['yyyeeee', 'no_quorum', 'no_quorum', 'no_quorum'],
  ],
};

const cases = votingStrategies.flatMap((strategy) =>
  TABLE[strategy].flatMap(([said, ...decisions]) =>
    voteErrorPolicies.map((errorPolicy, at) => ({ strategy, errorPolicy, said, decision: decisions[at] })),
  ),
);

describe('a tally', () => {
  it.each(cases)('by $strategy with $errorPolicy makes of $said: $decision', ({ said, decision, ...by }) => {
    expect(tally({ ballots: ballots(said), ...by }).decision).toBe(decision);
  });

  const OPTIONS: readonly [VotingStrategy, VoteErrorPolicy, string, number | undefined, string][] = [
    ['simple_majority', 'reduce_denominator', '0011111', 1, 'approved'],
    ['simple_majority', 'reduce_denominator', '0001122', undefined, 'rejected'],
    ['simple_majority', 'reduce_denominator', '000111a', undefined, 'rejected'],
    ['simple_majority', 'reduce_denominator', '00012ee', 0, 'approved'],
    ['simple_majority', 'count_as_abstain', '00012ee', undefined, 'rejected'],
    ['simple_majority', 'fail_closed', '000000e', undefined, 'no_quorum'],
    ['supermajority', 'reduce_denominator', '2222201', 2, 'approved'],
    ['supermajority', 'reduce_denominator', '2222001', undefined, 'rejected'],
    ['unanimous', 'reduce_denominator', '2222222', 2, 'approved'],
    ['unanimous', 'reduce_denominator', '2222221', undefined, 'rejected'],
    ['weighted', 'reduce_denominator', '2222001', 2, 'approved'],
    ['weighted', 'reduce_denominator', 'aaaaaaa', undefined, 'no_quorum'],
  ];
  it.each(OPTIONS)(
    'between options by %s with %s makes of %s: %s, %s',
    (strategy, errorPolicy, said, winner, decision) => {
      const counted = tally({ ballots: ballots(said), strategy, errorPolicy, options: 3 });
      expect([counted.winner, counted.decision]).toEqual([winner, decision]);
    },
  );

  it('says that a tie is one, and chooses none of the tied', () => {
    const counted = tally({
      ballots: ballots('0011'),
      strategy: 'simple_majority',
      errorPolicy: 'reduce_denominator',
      options: 2,
    });
    expect(counted).toMatchObject({ decision: 'rejected', why: 'No option leads: the best have 50% each.' });
  });

  it('counts by weight where the strategy does, and by heads where it does not', () => {
    const input: TallyInput = {
      ballots: ballots('ynn'),
      strategy: 'weighted',
      errorPolicy: 'reduce_denominator',
      weightOf: ({ choice }) => (choice === 'approve' ? 0.9 : 0.4),
    };
    expect(tally(input)).toMatchObject({ decision: 'approved' });
    expect(tally({ ...input, weightOf: undefined })).toMatchObject({ decision: 'rejected' });
  });

  it('comes to the same in whatever order the ballots come', () => {
    const choice = fc.constantFrom<Choice>('approve', 'reject', 'abstain', 'error', 0, 1, 2);
    const weight = fc.double({ min: 0.01, max: 1, noNaN: true });
    const panel = fc.array(fc.tuple(choice, weight), { minLength: 1, maxLength: 7 });
    const run = fc.tuple(
      panel,
      fc.constantFrom(...votingStrategies),
      fc.constantFrom(...voteErrorPolicies),
      fc.boolean(),
      fc.infiniteStream(fc.nat()),
    );
    fc.assert(
      fc.property(run, ([said, strategy, errorPolicy, hasOptions, order]) => {
        const all = said.map(([each], at) => ({
          ...(ballots('y')[0] as Ballot),
          voter: voterNames[at] ?? 'pm',
          choice: each,
        }));
        const weights = new Map(all.map(({ voter }, at) => [voter, said[at]?.[1] ?? 1]));
        const input = {
          strategy,
          errorPolicy,
          options: hasOptions ? 3 : undefined,
          weightOf: ({ voter }: Ballot) => weights.get(voter) ?? 1,
        };
        const shuffled = all
          .map((ballot) => ({ ballot, key: order.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ ballot }) => ballot);
        expect(tally({ ...input, ballots: shuffled })).toEqual(tally({ ...input, ballots: all }));
      }),
    );
  });
});
