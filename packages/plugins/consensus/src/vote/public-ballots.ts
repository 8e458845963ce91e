import type { VoteOutput } from '@nexus/plugin-sdk';
import { type Ballot, type Choice, takesSide } from '../ballots/ballot.ts';
import type { Tally } from './tally.ts';

/** Ballots as they are answered: an option by its text, and one that a condition turned as it was cast. */
export function toVotes(ballots: readonly Ballot[], options: readonly string[] = []): VoteOutput['votes'] {
  const words = (choice: Choice) => (typeof choice === 'number' ? String(options[choice]) : choice);
  return ballots.map(({ choice, castAs, voter, model, confidence, reasoning, conditions, takenBack }) => ({
    voter,
    model,
    decision: words(castAs ?? choice),
    ...(castAs === undefined ? {} : { countedAs: words(choice) }),
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
