import { type RunContext, type VoteOutput, vote } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import { proposalOf } from '../asking/proposal.ts';
import type { DevInput } from './dev-input.ts';
import type { CheckReport } from './dev-output.ts';
import { DevPlan, planText } from './plan.ts';
import { PLANNER, planAgainPrompt, planPrompt } from './prompts.ts';

export interface Agreement {
  readonly plan: DevPlan;
  readonly vote: VoteOutput;
  /** Ballots that were held. */
  readonly rounds: number;
}

/**
 * A plan that is voted on; one that is voted down is made again with the reasons that were given, and put to a
 * fresh ballot, which knows nothing of the one before.
 */
export async function agreePlan(
  input: DevInput,
  run: RunContext,
  known: { readonly research: string | undefined; readonly checks: readonly CheckReport[] },
): Promise<Agreement> {
  const { task, planFile, maxVoteIterations, votingStrategy: strategy, quickMode } = input;
  const prompt = planPrompt({ task, isPlan: planFile !== undefined, ...known });
  let asked = prompt;
  for (let round = 1; ; round += 1) {
    const title = round === 1 ? 'plans the work' : 'plans again';
    const { value: plan } = await ask(run, `plan ${round}`, {
      schema: DevPlan,
      system: PLANNER,
      prompt: asked,
      title,
    });
    const ballot = await run.child(
      `vote ${round}`,
      vote,
      {
        proposal: proposalOf(task, planText(plan)),
        isBeforeWork: true,
        ...(strategy === undefined ? {} : { strategy }),
        // A plan of one task is no matter for seven.
        quickMode: quickMode ?? plan.tasks.length === 1,
      },
      { title: 'votes on the plan' },
    );
    // Without a quorum nothing was said against the plan, and another plan changes nothing.
    const isLast = ballot.decision !== 'rejected' || round === maxVoteIterations;
    if (isLast) return { plan: underConditions(plan, ballot), vote: ballot, rounds: round };
    asked = planAgainPrompt(prompt, plan, ballot.dissent.length > 0 ? ballot.dissent : ballot.votes);
  }
}

/** Whoever works is told under which conditions the plan was approved. */
function underConditions(plan: DevPlan, { conditions = [] }: VoteOutput): DevPlan {
  if (conditions.length === 0) return plan;
  const told = ['The plan was approved under conditions:', ...conditions.map(({ text }) => `- ${text}`)].join(
    '\n',
  );
  return {
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, description: `${task.description}\n\n${told}` })),
  };
}
