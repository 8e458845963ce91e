import type { VoteObjection } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import type { Tally } from './tally.ts';

/**
 * What a count comes to once objections are taken in, which bar what the ballots would let through.
 * @param conditions what is said of the conditions that it was counted by; empty without any
 */
export function settle(tally: Tally, objections: readonly VoteObjection[], conditions: string): Tally {
  const { decision, approval } = tally;
  const why = conditions === '' ? tally.why : `${tally.why} ${conditions}`;
  if (decision !== 'approved') return { ...tally, why };
  const upheld = objections.find(({ outcome }) => outcome === 'upheld');
  if (upheld) {
    const holding = upheld.answers.filter(({ holds }) => holds).length;
    const text = `The objection of ${upheld.by} is upheld: ${holding} of ${counted(upheld.answers.length, 'other')} ${holding === 1 ? 'holds' : 'hold'} it too.`;
    return { decision: 'rejected', approval, why: `${why} ${text}` };
  }
  const unanswered = objections.find(({ outcome }) => outcome === 'unanswered');
  if (unanswered) {
    const text = `The objection of ${unanswered.by} has evidence and was answered by nobody.`;
    return { decision: 'no_quorum', approval: 0, why: `${why} ${text}` };
  }
  return { ...tally, why };
}
