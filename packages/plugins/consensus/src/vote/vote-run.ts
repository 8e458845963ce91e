import { defineRun, type RunContext, type VoteInput, type VoteOutput, vote } from '@nexus/plugin-sdk';
import { askVoter, type Cast } from '../ballots/ask-voter.ts';
import { type Ballot, type Choice, hasStake, type Objection } from '../ballots/ballot.ts';
import { lookUpBallots } from '../ballots/look-up-ballots.ts';
import { modelsOf, seatPanel } from '../ballots/seats.ts';
import { groundOf, type Matter, wordsOf } from '../ground/vote-ground.ts';
import { effectiveVotes } from '../record/effective-votes.ts';
import { type Weights, weightsOf } from '../record/weights.ts';
import type { ConsensusState } from '../state.ts';
import { named, type Panel, withStake } from '../voters/stake.ts';
import { glanceVoters } from '../voters/voters.ts';
import { checkConditions, checkedText, conditionsOf, openText, standing } from './conditions.ts';
import { panelDiversity } from './diversity.ts';
import { type VoteErrorPolicy, voteErrorPolicies } from './error-policies.ts';
import { outcomesOf, raisedIn } from './objections.ts';
import { dissentOf, toVotes } from './public-ballots.ts';
import { secondRound } from './second-round.ts';
import { settle } from './settle.ts';
import { strategies, type VotingStrategy, votingStrategies } from './strategies.ts';
import { voteSummary } from './summary.ts';
import { tally } from './tally.ts';

type Context = RunContext<ConsensusState>;

/** As its `choices` hold it. */
interface Chosen extends VoteInput {
  readonly strategy?: VotingStrategy;
  readonly errorPolicy?: VoteErrorPolicy;
}

/**
 * Blind ballots of those with a stake, side by side, each durable. Objections with evidence go to the others once
 * where they would change what is decided; conditions are checked; then it is counted, and put on record.
 */
export const voteRun = defineRun({
  ...vote,
  choices: { strategy: votingStrategies, errorPolicy: voteErrorPolicies },
  async run(input: Chosen, run: Context): Promise<VoteOutput> {
    const { proposal, options, ground: given, isBeforeWork = false } = input;
    const strategy = input.strategy ?? 'simple_majority';
    const errorPolicy = input.errorPolicy ?? 'reduce_denominator';
    const matter: Matter = { proposal, options, ground: given };
    const panel = panelFor(input, matter);
    const ground = await groundOf(run, matter);
    run.progress('asks the panel');
    const models = await modelsOf(run);
    const timeoutMs = run.state.options.ballotTimeoutMs;
    const seats = seatPanel(models, panel.voters).map((seat, at) => ({
      ...seat,
      ...{ matter, ground, timeoutMs, seat: at },
    }));
    const cast = await run.parallel(seats.map((seat) => () => askVoter(run, seat)));
    const first = cast.map(({ ballot }) => ballot);
    const known = await run.step('record so far', () => recordSoFar(run, first));
    const weights = strategies[strategy].isWeighted ? known.weights : undefined;
    const weightOf = weights && ((ballot: Ballot) => weightIn(weights, ballot));
    const count = (of: readonly Ballot[]) =>
      tally({ ballots: of, strategy, errorPolicy, options: options?.length, weightOf });

    const raised = await raisedIn(run, cast, { ground: given, lines: ground.lines });
    const wouldBe = count(first);
    const isOpen = wouldBe.decision === 'approved';
    const open = raised.filter(({ isEvidenced }) => isOpen && isEvidenced);
    const asked = seats.map((seat, at) => {
      const before = cast[at] as Cast; // as many as seats
      return {
        voter: seat.voter,
        first: before,
        async again(objections: readonly Objection[]) {
          const leading: Choice = wouldBe.winner ?? 'approve';
          const again = { first: before.ballot, objections, leading };
          const second = await askVoter(run, { ...seat, again });
          return second.ballot.choice === 'error' ? undefined : second;
        },
      };
    });
    const { casts, answers } = await secondRound(run, asked, open);
    const ballots = await lookUpBallots(
      run,
      casts.map(({ ballot }) => ballot),
      { matter, ground },
    );
    const objections = outcomesOf(raised, open, answers);

    const bound = count(ballots).decision === 'approved' ? conditionsOf(ballots) : [];
    const conditions = isBeforeWork
      ? bound.map((each) => ({ ...each, state: 'unknown' as const, why: 'The work is still to be done.' }))
      : await checkConditions(run, { proposal, conditions: bound, work: given ?? '' }, models);
    const stand = standing(ballots, conditions);
    const about = isBeforeWork ? openText(conditions) : checkedText(conditions);
    const counted = settle(count(stand), objections, about);
    const { decision, approval, why, winner } = counted;
    const recordId = await run.uuid('recordId');
    const told: Omit<VoteOutput, 'summary'> = {
      recordId,
      decision,
      ...(winner === undefined ? {} : { option: String(options?.[winner]) }),
      approval,
      why,
      votes: toVotes(stand, options),
      dissent: toVotes(dissentOf(stand, counted), options),
      conditions,
      objections,
      leftOut: panel.leftOut,
      ground: { references: ground.references, missing: ground.missing },
      panelDiversity: panelDiversity(ballots),
      effectiveVotes: known.effectiveVotes,
      ...(weights === undefined ? {} : { weights }),
    };
    const output = { ...told, summary: voteSummary(told) };
    await run.step('record', async () => {
      await run.host.audit.record({
        kind: 'consensus.vote',
        data: { record: recordId, run: run.id, decision, ballots: ballots.length },
        texts: { proposal },
      });
      await run.state.record.add({
        id: recordId,
        run_id: run.id,
        user_id: run.user ?? null,
        kind: 'vote',
        proposal,
        options: options ?? null,
        strategy,
        error_policy: errorPolicy,
        decision,
        winner: winner ?? null,
        approval,
        ballots,
        told: output,
      });
    });
    await run.event('vote.decided', { recordId, decision, approval, winner: winner ?? null });
    return output;
  },
});

function panelFor(
  { voters, isGlance = false, quickMode = false, ground = '' }: Chosen,
  matter: Matter,
): Panel {
  if (voters) return named(voters, 'Not named among those who vote.');
  if (isGlance) return named(glanceVoters, 'It was put to one voter alone.');
  return withStake([wordsOf(matter), ground].join('\n'), quickMode);
}

async function recordSoFar({ state: { record } }: Context, ballots: readonly Ballot[]) {
  const [agreement, accuracy] = await Promise.all([record.agreement(), record.accuracy()]);
  const answered = ballots.filter(hasStake);
  return {
    effectiveVotes: effectiveVotes(
      answered.map(({ model }) => model),
      agreement,
    ),
    weights: weightsOf(ballots, accuracy),
  };
}

function weightIn({ of }: Weights, { voter, model }: Ballot): number {
  return of.find((each) => each.voter === voter && each.model === model)?.weight ?? 1;
}
