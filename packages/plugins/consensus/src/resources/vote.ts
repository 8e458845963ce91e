import type { ResourceTemplateDefinition } from '@nexus/plugin-sdk';
import type { BallotRow, VoteRow } from '../record/tables.ts';
import type { ToldVote } from '../record/vote-record.ts';
import type { ConsensusState } from '../state.ts';
import { MAX_VOTES, optionsOf, voteView } from './votes.ts';

export const vote = {
  uriTemplate: 'nexus://votes/{recordId}',
  name: 'vote',
  title: 'A vote',
  description:
    'One vote or panel, whole: who voted, why and under which conditions, what was objected and answered, what they were shown, and how it turned out.',
  mimeType: 'application/json',
  async read({ recordId = '' }, { state, user }) {
    const found = await state.record.find(recordId, user);
    return JSON.stringify(wholeVote(found), null, 2);
  },
  async complete(_variable, typed, { state, user }) {
    const { votes } = await state.record.list(MAX_VOTES, user);
    return votes.map(({ id }) => id).filter((id) => id.startsWith(typed));
  },
} satisfies ResourceTemplateDefinition<ConsensusState>;

/** A vote as `nexus://votes/{recordId}` has it: its row, and all that it answered. */
export type WholeVote = ReturnType<typeof wholeVote>;

function wholeVote({
  vote: row,
  ballots,
}: {
  readonly vote: VoteRow;
  readonly ballots: readonly BallotRow[];
}) {
  const options = optionsOf(row);
  return {
    ...voteView(row),
    ...(options && { options }),
    errorPolicy: row.error_policy,
    ...(row.outcome_at === null ? {} : { outcomeAt: new Date(Number(row.outcome_at)).toISOString() }),
    ...toldOf(row, ballots, options),
  };
}

/** What it answered; of one that was held before that was kept, its ballots. */
function toldOf(row: VoteRow, ballots: readonly BallotRow[], options: readonly string[] = []) {
  if (row.told !== null) return JSON.parse(row.told) as ToldVote; // as it was written
  const votes = ballots.map(({ axis, voter, model, choice, confidence, reasoning }) => ({
    ...(axis === '' ? {} : { axis }),
    ...{ voter, model, confidence, reasoning },
    decision: options[Number(choice)] ?? choice,
  }));
  const lines = votes.map(({ voter, decision, reasoning }) => `- **${voter}** (${decision}): ${reasoning}`);
  return { votes, summary: `## ${row.decision}\n\n${lines.join('\n')}` };
}
