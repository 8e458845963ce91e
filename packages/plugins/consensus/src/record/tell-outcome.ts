import { type CallContext, isToolError, ToolError, type VoteOutput } from '@nexus/plugin-sdk';
import { ID_SORTS, otherSort } from '@nexus/primitives';
import type { Outcome, VoteRow } from './tables.ts';
import { ballotWasRight, type VoteRecord } from './vote-record.ts';

export interface Told {
  readonly recordId: string;
  readonly outcome: Outcome;
  /** Of a vote. */
  readonly decision?: VoteOutput['decision'];
  /** How many ballots of a vote that makes right, and wrong. */
  readonly ballots?: { readonly right: number; readonly wrong: number };
  /** Whose record it is part of from now on. */
  readonly models: readonly string[];
}

interface Telling {
  /** Of a vote, or of a run whose work is done. */
  readonly recordId: string;
  readonly outcome: Outcome;
  readonly source: string;
}

/**
 * Tells how a vote or other work turned out: voters and models are weighed by it from then on. The last word counts.
 * Only whoever had it done may tell, and the server's own user.
 * @throws {ToolError} NEXUS_NOT_FOUND, for work of another user too; NEXUS_CONFLICT for what no outcome can be told of
 */
export async function tellOutcome(
  record: VoteRecord,
  told: Telling,
  context: Pick<CallContext, 'host' | 'user'>,
): Promise<Told> {
  const found = await record.find(told.recordId, context.user).catch((error: unknown) => {
    if (isToolError(error) && error.code === 'NEXUS_NOT_FOUND') return undefined;
    throw error;
  });
  if (!found) return tellOfRun(told, context);
  const decision = decisionOf(found.vote);
  await record.tellOutcome(told.recordId, told.outcome, told.source);
  return { ...(await tellOfVote(told, found, context)), decision };
}

async function tellOfVote(
  { recordId, outcome, source }: Telling,
  { vote, ballots }: Awaited<ReturnType<VoteRecord['find']>>,
  { host }: Pick<CallContext, 'host'>,
): Promise<Told> {
  const judged = ballots.map((ballot) => ({
    ...ballot,
    isRight: ballotWasRight({ ...vote, choice: ballot.choice, outcome }),
  }));
  const models = new Set<string>();
  for (const { voter, model, isRight } of judged) {
    if (isRight === undefined) continue;
    const by = { model, category: 'reasoning' } as const;
    const of = await host.models.judge({ key: `${recordId}/${voter}`, isGood: isRight, source, by });
    for (const each of of) models.add(each);
  }
  return {
    recordId,
    outcome,
    ballots: {
      right: judged.filter(({ isRight }) => isRight === true).length,
      wrong: judged.filter(({ isRight }) => isRight === false).length,
    },
    models: [...models],
  };
}

async function tellOfRun(
  { recordId, outcome, source }: Telling,
  { host, user }: Pick<CallContext, 'host' | 'user'>,
): Promise<Told> {
  const run = await host.runs.get(recordId, { user }).catch((error: unknown) => {
    if (!isToolError(error) || error.code !== 'NEXUS_NOT_FOUND') throw error;
    const text =
      (otherSort(recordId, ID_SORTS.vote) && otherSort(recordId, ID_SORTS.run)) ??
      `There is no vote and no run "${recordId}" on record; \`nexus votes\` and \`nexus runs\` list those that are.`;
    throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { recordId } });
  });
  if (run.status !== 'completed')
    throw noOutcome(`Run ${run.id}`, `is ${run.status}: there is no work yet that turned out so`);
  if (run.rootId !== run.id) throw noOutcome(`Run ${run.id}`, `is a part of ${run.rootId}: tell it of that`);
  const by = { rootId: run.id };
  const models = await host.models.judge({ key: run.id, isGood: outcome === 'right', source, by });
  return { recordId: run.id, outcome, models };
}

/** @throws {ToolError} NEXUS_CONFLICT for what no outcome can be told of */
function decisionOf({ id, kind, decision, options, winner }: VoteRow): VoteOutput['decision'] {
  if (kind === 'panel') throw noOutcome(`Vote ${id}`, 'is a panel, which decides several things at once');
  if (decision === 'approved' && (options === null || winner !== null)) return decision;
  if (decision === 'rejected' && options === null) return decision;
  throw noOutcome(`Vote ${id}`, decision === 'rejected' ? 'chose no option' : 'came to no decision');
}

function noOutcome(what: string, why: string): ToolError {
  return new ToolError('NEXUS_CONFLICT', `${what} ${why}: no outcome can be told of it.`);
}
