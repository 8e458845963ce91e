import {
  defineRun,
  type RunContext,
  ToolError,
  type VoteOutcomeInput,
  type VoteOutcomeOutput,
  type VoteOutput,
  voteOutcome,
} from '@nexus/plugin-sdk';
import type { VoteRow } from './tables.ts';
import { ballotWasRight, type VoteRecord } from './vote-record.ts';

/** Tells how a decision turned out; voters are weighed by it from then on. The last word counts. */
export const outcomeRun = defineRun({
  ...voteOutcome,
  run(input: VoteOutcomeInput, run: RunContext<{ readonly record: VoteRecord }>): Promise<VoteOutcomeOutput> {
    return run.step('outcome', () => tellOutcome(run.state.record, input, run.user));
  },
});

/**
 * Only whoever had it decided may tell, and the server's own user.
 * @throws {ToolError} NEXUS_NOT_FOUND, for a vote of another user too; NEXUS_CONFLICT for what no outcome can be told of
 */
export async function tellOutcome(
  record: VoteRecord,
  { recordId, outcome, source }: VoteOutcomeInput,
  user: string | undefined,
): Promise<VoteOutcomeOutput> {
  const { vote, ballots } = await record.find(recordId, user);
  const decision = decisionOf(vote);
  await record.tellOutcome(recordId, outcome, source);
  const told = ballots.map(({ choice }) => ballotWasRight({ ...vote, choice, outcome }));
  return {
    recordId,
    decision,
    outcome,
    ballots: {
      right: told.filter((each) => each === true).length,
      wrong: told.filter((each) => each === false).length,
    },
  };
}

/** @throws {ToolError} NEXUS_CONFLICT for what no outcome can be told of */
function decisionOf({ id, kind, decision, options, winner }: VoteRow): VoteOutput['decision'] {
  if (kind === 'panel') throw noOutcome(id, 'is a panel, which decides several things at once');
  if (decision === 'approved' && (options === null || winner !== null)) return decision;
  if (decision === 'rejected' && options === null) return decision;
  throw noOutcome(id, decision === 'rejected' ? 'chose no option' : 'came to no decision');
}

function noOutcome(recordId: string, why: string): ToolError {
  return new ToolError('NEXUS_CONFLICT', `Vote ${recordId} ${why}: no outcome can be told of it.`, {
    detail: { recordId },
  });
}
