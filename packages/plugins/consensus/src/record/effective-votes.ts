import type { VoteOutput } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';

/** How often the ballots of two models, in the same votes, said the same. */
export interface PairRecord {
  /** In alphabetical order; the same one twice for two voters on one model. */
  readonly models: readonly [string, string];
  readonly pairs: number;
  /** Pairs that said the same. */
  readonly agreed: number;
  /** Ballots of these pairs, of two each, that approved. */
  readonly approved: number;
}

export type EffectiveVotes = VoteOutput['effectiveVotes'];

/** Below this a rate of agreement says more of chance than of two models. */
const FEW_PAIRS = 10;

/**
 * Ballots that agree by habit are worth fewer than their number: n / (1 + (n − 1)·ρ), the design effect of
 * cluster samples (L. Kish, Survey Sampling, 1965), where ρ is the mean over the panel's pairs of their
 * recorded agreement, corrected for chance: (A − E) / (1 − E) with E = p² + (1 − p)² from the share p of
 * approvals (W. A. Scott, Public Opinion Quarterly 19, 1955; negative values count as 0). Voters who are
 * right agree too, so the figure is a lower bound of what the ballots are worth.
 * @param models of the ballots that could be had
 */
export function effectiveVotes(models: readonly string[], record: readonly PairRecord[]): EffectiveVotes {
  if (models.length < 2) return { basis: 'One ballot agrees with none.' };
  const known = pairsOf(models).map((pair) => correlationOf(pair, record));
  const told = known.filter((each) => each !== undefined);
  const total = record.reduce((sum, { pairs }) => sum + pairs, 0);
  if (told.length === 0) {
    return {
      basis: `No record: ${total === 0 ? 'no earlier vote was recorded' : `the ${total} recorded pairs of ballots are too few, or all alike`} for these models. The ${models.length} ballots may be worth as little as one.`,
    };
  }
  const correlation = told.reduce((sum, each) => sum + each, 0) / told.length;
  const count = models.length / (1 + (models.length - 1) * correlation);
  const share = told.length === known.length ? 'all' : `${told.length} of ${known.length}`;
  return {
    count: round(count),
    correlation: round(correlation),
    basis: `Recorded agreement of ${share} pairs of this panel's models, from ${counted(total, 'pair')} of ballots. A lower bound: voters who are right agree too.`,
  };
}

function pairsOf(models: readonly string[]): [string, string][] {
  return models.flatMap((first, at) => models.slice(at + 1).map((second) => inOrder(first, second)));
}

export function inOrder(first: string, second: string): [string, string] {
  return first <= second ? [first, second] : [second, first];
}

function correlationOf([first, second]: [string, string], record: readonly PairRecord[]): number | undefined {
  const found = record.find(({ models }) => models[0] === first && models[1] === second);
  if (!found || found.pairs < FEW_PAIRS) return undefined;
  const { pairs, agreed, approved } = found;
  const p = approved / (2 * pairs);
  const expected = p ** 2 + (1 - p) ** 2;
  // All ballots were alike: whether out of habit or for good reason, they don't tell.
  if (expected === 1) return undefined;
  return Math.max(0, (agreed / pairs - expected) / (1 - expected));
}

const round = (value: number) => Math.round(value * 100) / 100;
