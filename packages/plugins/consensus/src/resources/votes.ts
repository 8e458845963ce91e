import type { Host, ResourceDefinition } from '@nexus/plugin-sdk';
import type { VoteRow } from '../record/tables.ts';
import type { ConsensusState } from '../state.ts';

const MAX_VOTES = 100;
/** Runs of one user that are looked through for their votes. */
const MAX_RUNS = 200;

export const votes = {
  uri: 'nexus://votes',
  name: 'votes',
  title: 'Votes',
  description:
    'The newest votes and panels on record: what was proposed, what was decided, and how it turned out where that was told.',
  mimeType: 'application/json',
  async read({ state, host, user }) {
    const listed = await state.record.list(MAX_VOTES);
    const own = user === undefined ? undefined : await runsOf(user, host);
    const shown = listed.votes.filter(({ run_id }) => own?.has(run_id) ?? true).map(toView);
    return JSON.stringify({ votes: shown, total: own ? shown.length : listed.total }, null, 2);
  },
} satisfies ResourceDefinition<ConsensusState>;

/** By HTTP everybody sees their own votes alone. */
async function runsOf(user: string, { runs }: Host): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    ['consensus.vote', 'consensus.panel'].map((kind) => runs.list({ kind, user, limit: MAX_RUNS })),
  );
  return new Set(lists.flatMap((list) => list.runs.map(({ id }) => id)));
}

/** A vote as `nexus://votes` has it. */
export type VoteView = ReturnType<typeof toView>;

function toView(row: VoteRow) {
  const options = row.options === null ? undefined : (JSON.parse(row.options) as string[]); // as it was written
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
