import { type RunContext, type VoteOutput, vote } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import { proposalOf } from '../asking/proposal.ts';
import type { DevInput } from './dev-input.ts';
import type { CheckReport } from './dev-output.ts';
import { fitPlan } from './fit-plan.ts';
import type { ShownFile } from './named-files.ts';
import { DevPlan, planText } from './plan.ts';
import { PLANNER, planAgainPrompt, planPrompt } from './prompts.ts';

export interface Agreement {
  readonly plan: DevPlan;
  readonly vote: VoteOutput;
  /** Ballots that were held. */
  readonly rounds: number;
  /** As many tasks as the model planned that are done as one. */
  readonly joined: number;
  /** Whether one voter's word was enough. */
  readonly isOneVoters: boolean;
}

/**
 * A plan that is voted on; one that is voted down is made again with the reasons that were given, and put to a
 * fresh ballot, which knows nothing of the one before.
 */
export async function agreePlan(
  input: DevInput,
  run: RunContext,
  {
    fits,
    ...known
  }: {
    readonly research: string | undefined;
    /** That the task names, where it is about them alone. */
    readonly files: readonly ShownFile[];
    readonly checks: readonly CheckReport[];
    /** Whether the plan and its ballot are as small as the work. */
    readonly fits: boolean;
  },
): Promise<Agreement> {
  const { task, planFile, maxVoteIterations } = input;
  const prompt = planPrompt({ task, isPlan: planFile !== undefined, ...known });
  let asked = prompt;
  for (let round = 1; ; round += 1) {
    const title = round === 1 ? 'plans the work' : 'plans again';
    const { value } = await ask(run, `plan ${round}`, {
      schema: DevPlan,
      system: PLANNER,
      prompt: asked,
      title,
    });
    const plan = fits ? fitPlan(value) : value;
    const isSmall = fits && known.files.length > 0 && plan.tasks.length === 1;
    const { ballot, isOneVoters } = await voted(input, run, { plan, round, isSmall });
    // Without a quorum nothing was said against the plan, and another plan changes nothing.
    const isLast = ballot.decision !== 'rejected' || round === maxVoteIterations;
    if (isLast) {
      const joined = plan === value ? 1 : value.tasks.length;
      return { plan: underConditions(plan, ballot), vote: ballot, rounds: round, joined, isOneVoters };
    }
    asked = planAgainPrompt(prompt, plan, ballot);
  }
}

/**
 * By a panel; a small plan by one voter first, whose approval is enough, under its conditions. What that one does not
 * approve is no decision of one: it goes to the panel.
 */
async function voted(
  { task, votingStrategy: strategy, quickMode }: DevInput,
  run: RunContext,
  { plan, round, isSmall }: { readonly plan: DevPlan; readonly round: number; readonly isSmall: boolean },
): Promise<{ readonly ballot: VoteOutput; readonly isOneVoters: boolean }> {
  const matter = { proposal: proposalOf(task, planText(plan)), isBeforeWork: true } as const;
  const title = 'votes on the plan';
  if (isSmall && strategy === undefined && quickMode === undefined) {
    const ballot = await run.child(`glance ${round}`, vote, { ...matter, isGlance: true }, { title });
    if (ballot.decision === 'approved') return { ballot, isOneVoters: true };
  }
  const panel = {
    ...(strategy === undefined ? {} : { strategy }),
    // A plan of one task is no matter for seven.
    quickMode: quickMode ?? plan.tasks.length === 1,
  };
  const ballot = await run.child(`vote ${round}`, vote, { ...matter, ...panel }, { title });
  return { ballot, isOneVoters: false };
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
