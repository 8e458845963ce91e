import type { VoteOutput } from '@nexus/plugin-sdk';
import { type Ballot, takesSide } from '../ballots/ballot.ts';
import type { Tally } from './tally.ts';

/** Ballots as they are answered: an option by its text. */
export function toVotes(ballots: readonly Ballot[], options: readonly string[] = []): VoteOutput['votes'] {
  return ballots.map(({ choice, voter, model, confidence, reasoning, conditions, takenBack }) => ({
    voter,
    model,
    decision: typeof choice === 'number' ? String(options[choice]) : choice,
    confidence,
    reasoning,
    ...(conditions === undefined ? {} : { conditions }),
    ...(takenBack === undefined ? {} : { takenBack }),
  }));
}

/** Those that took a side, and another one than was decided. */
export function dissentOf(ballots: readonly Ballot[], { decision, winner }: Tally): readonly Ballot[] {
  if (decision === 'no_quorum') return [];
  const side = winner ?? (decision === 'approved' ? 'approve' : 'reject');
  const sided = ballots.filter(takesSide);
  // A vote between options that chose none: nobody voted against that.
  if (side === 'reject' && sided.some(({ choice }) => typeof choice === 'number')) return [];
  return sided.filter(({ choice }) => choice !== side);
}
