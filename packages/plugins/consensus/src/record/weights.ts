import type { VoteOutput } from '@nexus/plugin-sdk';
import type { Ballot } from '../ballots/ballot.ts';

/** How often a voter on a model was right, of what has been told since. */
export interface Accuracy {
  readonly voter: string;
  readonly model: string;
  readonly right: number;
  readonly wrong: number;
}

export type Weights = NonNullable<VoteOutput['weights']>;

/**
 * What each ballot counts: the rate at which its voter, on its model, was right, drawn towards one half as long
 * as little is known (Laplace's rule of succession: (right + 1) / (all + 2)). Without any record all count the same.
 */
export function weightsOf(ballots: readonly Ballot[], record: readonly Accuracy[]): Weights {
  const of = ballots.map(({ voter, model }) => {
    const found = record.find((each) => each.voter === voter && each.model === model);
    const { right, wrong } = found ?? { right: 0, wrong: 0 };
    return { voter, model, right, wrong, weight: (right + 1) / (right + wrong + 2) };
  });
  const told = of.reduce((sum, { right, wrong }) => sum + right + wrong, 0);
  if (told > 0) {
    return {
      basis: `${told} earlier ballots of these voters on these models, in votes of which \`nexus votes outcome\` or a run was told how the decision turned out.`,
      of,
    };
  }
  return {
    basis:
      'No record: of no earlier vote of these voters on these models it was told how the decision turned out, so every ballot counts the same. `nexus votes outcome <recordId> right` tells it.',
    of: of.map((each) => ({ ...each, weight: 1 })),
  };
}
