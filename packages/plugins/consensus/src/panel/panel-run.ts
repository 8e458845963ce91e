import { defineRun, type RunContext, type VoteOutput } from '@nexus/plugin-sdk';
import type { Ballot } from '../ballots/ballot.ts';
import { modelsOf, seatPanel } from '../ballots/seats.ts';
import { groundOf } from '../ground/vote-ground.ts';
import type { PanelDecision } from '../record/tables.ts';
import type { ConsensusState } from '../state.ts';
import { panelDiversity } from '../vote/diversity.ts';
import { toVotes } from '../vote/public-ballots.ts';
import { tally } from '../vote/tally.ts';
import { withStake } from '../voters/stake.ts';
import { askPanellist } from './ask-panellist.ts';
import { panelSummary } from './summary.ts';

export interface PanelInput {
  readonly proposal: string;
  readonly context: string;
  readonly axes: readonly string[];
  readonly quickMode: boolean;
}

export interface AxisVerdict {
  readonly axis: string;
  /** `undecided`: more than half could not be had, or nobody took a side. */
  readonly verdict: 'approve' | 'reject' | 'undecided';
  readonly approval: number;
  readonly why: string;
  readonly votes: VoteOutput['votes'];
}

export interface PanelOutput {
  readonly recordId: string;
  readonly decision: PanelDecision;
  readonly why: string;
  readonly summary: string;
  readonly axes: readonly AxisVerdict[];
  readonly leftOut: VoteOutput['leftOut'];
  readonly ground: VoteOutput['ground'];
  readonly panelDiversity: VoteOutput['panelDiversity'];
}

/** Blind verdicts by several axes, each axis counted by itself; put on record. */
export const panelRun = defineRun({
  name: 'consensus.panel',
  version: 2,
  async run(input: PanelInput, run: RunContext<ConsensusState>): Promise<PanelOutput> {
    const { proposal, context, axes, quickMode } = input;
    const matter = { proposal: [proposal, context].join('\n') };
    const panel = withStake([matter.proposal, ...axes].join('\n'), quickMode);
    const ground = await groundOf(run, matter);
    run.progress('asks the panel');
    const seats = seatPanel(await modelsOf(run), panel.voters);
    const judged = await run.parallel(
      seats.map(
        ({ voter, model }) =>
          () =>
            askPanellist(run, {
              voter,
              model,
              proposal,
              context,
              axes,
              ground,
              timeoutMs: run.state.options.ballotTimeoutMs,
            }),
      ),
    );
    const ballots = judged.flatMap((each) => each.ballots);
    const verdicts = axes.map((axis) =>
      verdictOf(
        axis,
        ballots.filter((ballot) => ballot.axis === axis),
      ),
    );
    const { decision, why } = decide(verdicts);
    const recordId = await run.uuid('recordId');
    const approving = verdicts.filter(({ verdict }) => verdict === 'approve').length;
    await run.step('record', async () => {
      await run.host.audit.record({
        kind: 'consensus.panel',
        data: { record: recordId, run: run.id, decision, ballots: ballots.length },
        texts: { proposal },
      });
      await run.state.record.add({
        id: recordId,
        run_id: run.id,
        user_id: run.user ?? null,
        kind: 'panel',
        proposal,
        options: null,
        strategy: 'simple_majority',
        error_policy: 'reduce_denominator',
        decision,
        winner: null,
        approval: approving / axes.length,
        ballots,
      });
    });
    await run.event('panel.decided', { recordId, decision });
    const output = {
      recordId,
      decision,
      why,
      axes: verdicts,
      leftOut: panel.leftOut,
      ground: { references: ground.references, missing: ground.missing },
      panelDiversity: panelDiversity(judged.flatMap((each) => each.ballots[0] ?? [])),
    };
    return { ...output, summary: panelSummary(output) };
  },
});

const VERDICTS = { approved: 'approve', rejected: 'reject', no_quorum: 'undecided' } as const;

function verdictOf(axis: string, ballots: readonly Ballot[]): AxisVerdict {
  const { decision, approval, why } = tally({
    ballots,
    strategy: 'simple_majority',
    errorPolicy: 'reduce_denominator',
  });
  return { axis, verdict: VERDICTS[decision], approval, why, votes: toVotes(ballots) };
}

/** All axes one way, or mixed: what weighs more is for whoever decides to say. */
function decide(verdicts: readonly AxisVerdict[]): { decision: PanelDecision; why: string } {
  const of = (wanted: AxisVerdict['verdict']) =>
    verdicts.filter(({ verdict }) => verdict === wanted).map(({ axis }) => axis);
  const [approving, rejecting, undecided] = [of('approve'), of('reject'), of('undecided')];
  if (approving.length === verdicts.length)
    return { decision: 'approve', why: 'It is better by every axis.' };
  if (rejecting.length === verdicts.length)
    return { decision: 'reject', why: 'It is not better by any axis.' };
  const told = [
    ...(approving.length > 0 ? [`better by ${approving.join(', ')}`] : []),
    ...(rejecting.length > 0 ? [`not better by ${rejecting.join(', ')}`] : []),
    ...(undecided.length > 0 ? [`undecided by ${undecided.join(', ')}`] : []),
  ];
  return { decision: 'mixed', why: `It is ${told.join('; ')}.` };
}
