import { defineRun, type RunContext, type VoteOutput } from '@nexus/plugin-sdk';
import type { Ballot, Objection } from '../ballots/ballot.ts';
import { lookUpBallots } from '../ballots/look-up-ballots.ts';
import { modelsOf, seatPanel } from '../ballots/seats.ts';
import { groundOf } from '../ground/vote-ground.ts';
import type { PanelDecision } from '../record/tables.ts';
import type { ConsensusState } from '../state.ts';
import { checkConditions, checkedText, conditionsOf, standing } from '../vote/conditions.ts';
import { panelDiversity } from '../vote/diversity.ts';
import { outcomesOf, raisedIn } from '../vote/objections.ts';
import { toVotes } from '../vote/public-ballots.ts';
import { secondRound } from '../vote/second-round.ts';
import { settle } from '../vote/settle.ts';
import { tally } from '../vote/tally.ts';
import { withStake } from '../voters/stake.ts';
import { type AxisBallot, askPanellist, type Judged } from './ask-panellist.ts';
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
  /** Of approvals by axes that are approved; who made one that is not met counts against that axis. */
  readonly conditions: VoteOutput['conditions'];
  /** To all of it: one that is upheld, or answered by nobody, lets no axis approve. */
  readonly objections: VoteOutput['objections'];
  readonly leftOut: VoteOutput['leftOut'];
  readonly ground: VoteOutput['ground'];
  readonly panelDiversity: VoteOutput['panelDiversity'];
}

/**
 * Blind verdicts by several axes, each axis counted by itself. Objections and conditions bind as those of a vote do;
 * put on record.
 */
export const panelRun = defineRun({
  name: 'consensus.panel',
  version: 3,
  async run(input: PanelInput, run: RunContext<ConsensusState>): Promise<PanelOutput> {
    const { proposal, context, axes, quickMode } = input;
    const matter = { proposal: [proposal, context].join('\n') };
    const panel = withStake([matter.proposal, ...axes].join('\n'), quickMode);
    const ground = await groundOf(run, matter);
    run.progress('asks the panel');
    const models = await modelsOf(run);
    const { ballotTimeoutMs: timeoutMs } = run.state.options;
    const seats = seatPanel(models, panel.voters).map((seat) => ({
      ...seat,
      ...{ proposal, context, axes, ground, timeoutMs },
    }));
    const first = await run.parallel(seats.map((seat) => () => askPanellist(run, seat)));

    const raised = await raisedIn(
      run,
      first.flatMap(({ ballots: [ballot], seen }) => (ballot ? [{ ballot, ...(seen && { seen }) }] : [])),
      { ground: context, lines: ground.lines },
    );
    const isOpen = approvedOf(axes, ballotsOf(first)).length > 0;
    const open = raised.filter(({ isEvidenced }) => isOpen && isEvidenced);
    const asked = seats.map((seat, at) => {
      const before = first[at] as Judged; // as many as seats
      return {
        voter: seat.voter,
        first: before,
        async again(objections: readonly Objection[]) {
          const again = { first: before.ballots, objections, leading: 'approve' } as const;
          const second = await askPanellist(run, { ...seat, again });
          return second.ballots.some(({ choice }) => choice === 'error') ? undefined : second;
        },
      };
    });
    const { casts, answers } = await secondRound(run, asked, open);
    const judged = await lookUpBallots(run, ballotsOf(casts), { matter, ground });
    const objections = outcomesOf(raised, open, answers);
    const bound = conditionsOf(approvedOf(axes, judged).flatMap((axis) => by(axis, judged)));
    const conditions = await checkConditions(run, { proposal, conditions: bound, work: context }, models);
    const verdicts = axes.map((axis) => verdictBy(axis, by(axis, judged), { objections, conditions }));
    const { decision, why } = decide(verdicts);
    const recordId = await run.uuid('recordId');
    const approving = verdicts.filter(({ verdict }) => verdict === 'approve').length;
    const told = {
      recordId,
      decision,
      why,
      axes: verdicts,
      conditions,
      objections,
      leftOut: panel.leftOut,
      ground: { references: ground.references, missing: ground.missing },
      panelDiversity: panelDiversity(casts.flatMap((each) => each.ballots[0] ?? [])),
    };
    const output = { ...told, summary: panelSummary(told) };
    await run.step('record', async () => {
      await run.host.audit.record({
        kind: 'consensus.panel',
        data: { record: recordId, run: run.id, decision, ballots: judged.length },
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
        ballots: judged,
        told: output,
      });
    });
    await run.event('panel.decided', { recordId, decision });
    return output;
  },
});

const VERDICTS = { approved: 'approve', rejected: 'reject', no_quorum: 'undecided' } as const;

const ballotsOf = (judged: readonly Judged[]) => judged.flatMap(({ ballots }) => ballots);

const by = (axis: string, ballots: readonly AxisBallot[]) => ballots.filter((each) => each.axis === axis);

const count = (ballots: readonly Ballot[]) =>
  tally({ ballots, strategy: 'simple_majority', errorPolicy: 'reduce_denominator' });

/** The axes by which ballots approve. */
function approvedOf(axes: readonly string[], ballots: readonly AxisBallot[]): readonly string[] {
  return axes.filter((axis) => count(by(axis, ballots)).decision === 'approved');
}

function verdictBy(
  axis: string,
  ballots: readonly AxisBallot[],
  { objections, conditions }: Pick<PanelOutput, 'objections' | 'conditions'>,
): AxisVerdict {
  const own = conditions.flatMap((condition) => {
    const voters = ballots
      .filter(({ choice, conditions: under }) => choice === 'approve' && under?.includes(condition.text))
      .map(({ voter }) => voter);
    return voters.length > 0 ? [{ ...condition, by: voters }] : [];
  });
  const stand = standing(ballots, own);
  const { decision, approval, why } = settle(count(stand), objections, checkedText(own));
  return { axis, verdict: VERDICTS[decision], approval, why, votes: toVotes(stand) };
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
