import { defineRun, type RunContext, type VoteInput, type VoteOutput, vote } from '@nexus/plugin-sdk';
import { askVoter } from '../ballots/ask-voter.ts';
import type { Ballot } from '../ballots/ballot.ts';
import { seatPanel } from '../ballots/seats.ts';
import { effectiveVotes } from '../record/effective-votes.ts';
import { type Weights, weightsOf } from '../record/weights.ts';
import type { ConsensusState } from '../state.ts';
import { panelDiversity } from './diversity.ts';
import { dissentOf, toVotes } from './public-ballots.ts';
import { strategies } from './strategies.ts';
import { voteSummary } from './summary.ts';
import { tally } from './tally.ts';

type Context = RunContext<ConsensusState>;

/** Blind ballots side by side, each a durable step; then counted, and put on record. */
export const voteRun = defineRun({
  ...vote,
  async run(input: VoteInput, run: Context): Promise<VoteOutput> {
    const { proposal, options } = input;
    const strategy = input.strategy ?? 'simple_majority';
    const errorPolicy = input.errorPolicy ?? 'reduce_denominator';
    run.progress('asks the panel');
    const ballots = await castBallots(input, run);
    const answered = ballots.filter(({ choice }) => choice !== 'error');
    const known = await run.step('record so far', async () => {
      const [agreement, accuracy] = await Promise.all([
        run.state.record.agreement(),
        run.state.record.accuracy(),
      ]);
      return {
        effectiveVotes: effectiveVotes(
          answered.map(({ model }) => model),
          agreement,
        ),
        weights: weightsOf(ballots, accuracy),
      };
    });
    const weights = strategies[strategy].isWeighted ? known.weights : undefined;
    const weightOf = weights && ((ballot: Ballot) => weightIn(weights, ballot));
    const counted = tally({ ballots, strategy, errorPolicy, options: options?.length, weightOf });
    const { decision, approval, why, winner } = counted;
    const recordId = await run.uuid('recordId');
    await run.step('record', async () => {
      await run.state.record.add({
        id: recordId,
        run_id: run.id,
        kind: 'vote',
        proposal,
        options: options ?? null,
        strategy,
        error_policy: errorPolicy,
        decision,
        winner: winner ?? null,
        approval,
        ballots,
      });
    });
    await run.event('vote.decided', { recordId, decision, approval, winner: winner ?? null });
    const output: Omit<VoteOutput, 'summary'> = {
      recordId,
      decision,
      ...(winner === undefined ? {} : { option: String(options?.[winner]) }),
      approval,
      why,
      votes: toVotes(ballots, options),
      dissent: toVotes(dissentOf(ballots, counted), options),
      panelDiversity: panelDiversity(ballots),
      effectiveVotes: known.effectiveVotes,
      ...(weights === undefined ? {} : { weights }),
    };
    return { ...output, summary: voteSummary(output) };
  },
});

async function castBallots({ proposal, options, quickMode = false }: VoteInput, run: Context) {
  const seats = await seatPanel(run, quickMode);
  const timeoutMs = run.state.options.ballotTimeoutMs;
  return run.parallel(
    seats.map(
      ({ voter, model }, seat) =>
        () =>
          askVoter(run, { voter, model, proposal, options, seat, timeoutMs }),
    ),
  );
}

function weightIn({ of }: Weights, { voter, model }: Ballot): number {
  return of.find((each) => each.voter === voter && each.model === model)?.weight ?? 1;
}
