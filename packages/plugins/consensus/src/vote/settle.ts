import type { VoteCondition, VoteObjection } from '@nexus/plugin-sdk';
import type { Tally } from './tally.ts';

/** What a count comes to once objections and conditions are taken in: the first bar what the ballots would let through. */
export function settle(
  counted: Tally,
  objections: readonly VoteObjection[],
  conditions: readonly VoteCondition[],
): Tally {
  const { decision, approval } = counted;
  const why = [counted.why, ...conditionsText(conditions)].join(' ');
  if (decision !== 'approved') return { ...counted, why };
  const upheld = objections.find(({ outcome }) => outcome === 'upheld');
  if (upheld) {
    const holding = upheld.answers.filter(({ holds }) => holds).length;
    const text = `The objection of ${upheld.by} is upheld: ${holding} of ${upheld.answers.length} others hold it too.`;
    return { decision: 'rejected', approval, why: `${why} ${text}` };
  }
  const unanswered = objections.find(({ outcome }) => outcome === 'unanswered');
  if (unanswered) {
    const text = `The objection of ${unanswered.by} has evidence and was answered by nobody.`;
    return { decision: 'no_quorum', approval: 0, why: `${why} ${text}` };
  }
  return { ...counted, why };
}

function conditionsText(conditions: readonly VoteCondition[]): string[] {
  if (conditions.length === 0) return [];
  const of = (wanted: VoteCondition['state']) => conditions.filter(({ state }) => state === wanted).length;
  return [
    `Conditions: ${of('met')} met, ${of('not_met')} not met, ${of('unknown')} unknown${of('not_met') > 0 ? '; who made one that is not met counts against it' : ''}.`,
  ];
}
