import type { ResourceDefinition } from '@nexus/plugin-sdk';
import type { VoteRow } from '../record/tables.ts';
import type { ConsensusState } from '../state.ts';

export const MAX_VOTES = 100;

export const votes = {
  uri: 'nexus://votes',
  name: 'votes',
  title: 'Votes',
  description:
    'The newest votes and panels on record: what was proposed, what was decided, and how it turned out where that was told.',
  mimeType: 'application/json',
  /** By HTTP everybody sees their own votes alone. */
  async read({ state, user }) {
    const { votes: found, total } = await state.record.list(MAX_VOTES, user);
    return JSON.stringify({ votes: found.map(voteView), total }, null, 2);
  },
} satisfies ResourceDefinition<ConsensusState>;

/** A vote as `nexus://votes` has it. */
export type VoteView = ReturnType<typeof voteView>;

export function voteView(row: VoteRow) {
  const options = optionsOf(row);
  return {
    recordId: row.id,
    runId: row.run_id,
    kind: row.kind,
    proposal: row.proposal,
    decision: row.decision,
    ...(options && row.winner !== null ? { option: options[row.winner] } : {}),
    approval: row.approval,
    strategy: row.strategy,
    at: new Date(Number(row.created_at)).toISOString(),
    ...(row.outcome === null ? {} : { outcome: row.outcome, outcomeSource: row.outcome_source }),
  };
}

export function optionsOf({ options }: VoteRow): readonly string[] | undefined {
  return options === null ? undefined : (JSON.parse(options) as string[]); // as it was written
}
