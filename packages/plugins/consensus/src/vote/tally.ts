import type { VoteOutput } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { type Ballot, type Choice, takesSide } from '../ballots/ballot.ts';
import { errorPolicies, type VoteErrorPolicy } from './error-policies.ts';
import { meets, strategies, type VotingStrategy } from './strategies.ts';

export interface TallyInput {
  readonly ballots: readonly Ballot[];
  readonly strategy: VotingStrategy;
  readonly errorPolicy: VoteErrorPolicy;
  /** How many options there are; without any the vote is on approving one proposal. */
  readonly options?: number | undefined;
  /** What a ballot counts; by default one. */
  readonly weightOf?: ((ballot: Ballot) => number) | undefined;
}

export interface Tally {
  readonly decision: VoteOutput['decision'];
  /** The option that won, from 0. */
  readonly winner?: number;
  /** What stands behind the decision: the share of the approvals, or of the leading option; from 0 to 1. */
  readonly approval: number;
  /** In a sentence, with the figures. */
  readonly why: string;
}

/** The only side that can win where there are no options. */
const APPROVE = 'approve' satisfies Choice;

/**
 * Decides by the ballots alone: in which order they came, or are listed, changes nothing. An abstention counts
 * among those of which a share is needed, so it is not for anything; one for lack of a stake does not count.
 */
export function tally(input: TallyInput): Tally {
  const { strategy, errorPolicy, options } = input;
  // Sums of fractions depend on their order, so there is one.
  const ballots = input.ballots.filter(({ choice }) => choice !== 'no_stake').sort(byContent);
  const errors = ballots.filter(({ choice }) => choice === 'error').length;
  if (errors * 2 > ballots.length) {
    return none(
      `${errors} of ${counted(ballots.length, 'ballot')} could not be had, which is more than half.`,
    );
  }
  if (!ballots.some(takesSide)) return none('No ballot takes a side.');
  const { isCounted, isFatal, words } = errorPolicies[errorPolicy];
  if (isFatal && errors > 0)
    return none(`${errors} of ${counted(ballots.length, 'ballot')} could not be had; ${words}.`);
  const weightOf = input.weightOf ?? (() => 1);
  const taken = ballots.filter(({ choice }) => choice !== 'error' || isCounted);
  const total = sum(taken.map(weightOf));
  const shareOf = (side: Choice) => sum(taken.filter(({ choice }) => choice === side).map(weightOf)) / total;
  const leading = options === undefined ? APPROVE : leadingOption(options, shareOf);
  if (leading === undefined) {
    const tied = Math.max(...range(options ?? 0).map(shareOf));
    return {
      decision: 'rejected',
      approval: tied,
      why: `No option leads: the best have ${percent(tied)} each.`,
    };
  }
  const approval = shareOf(leading);
  const needed = strategies[strategy].words;
  const behind = `${percent(approval)} ${options === undefined ? 'approve' : 'are for the leading option'}, ${needed} needed`;
  const isApproved = meets(strategy, approval);
  const also = errors === 0 ? '' : `; ${words} (${errors})`;
  return {
    decision: isApproved ? 'approved' : 'rejected',
    ...(isApproved && typeof leading === 'number' ? { winner: leading } : {}),
    approval,
    why: `${behind}${also}.`,
  };
}

function none(why: string): Tally {
  return { decision: 'no_quorum', approval: 0, why };
}

/** The option that more is for than for any other. */
function leadingOption(options: number, shareOf: (option: number) => number): number | undefined {
  const best = Math.max(...range(options).map(shareOf));
  const leading = range(options).filter((option) => shareOf(option) === best);
  return leading.length === 1 ? leading[0] : undefined;
}

function byContent(a: Ballot, b: Ballot): number {
  return (
    compare(a.voter, b.voter) || compare(a.model, b.model) || compare(String(a.choice), String(b.choice))
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const range = (length: number) => Array.from({ length }, (_, index) => index);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const percent = (share: number) => `${Math.round(share * 100)}%`;
