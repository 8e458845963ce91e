import {
  askModel,
  type Basis,
  basisOf,
  defineRun,
  type ExpertTurnInput,
  type GraphNode,
  type GraphState,
  type GraphVisit,
  isToolError,
  lookUpNames,
  type NamesLookedUp,
  type Reference,
  type RunContext,
  type ToolError,
} from '@nexus/plugin-sdk';
import { markClaimsToHaveRun } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import { roleOf } from '../roles/roles.ts';
import { inventedOf } from '../turn/invented.ts';
import { turnRun } from '../turn/turn-run.ts';
import type { Plan, PlanStep } from './plan.ts';
import { REVIEWER, reviewPrompt } from './prompts.ts';

export interface WorkInput {
  readonly plan: Plan;
  readonly context: Readonly<Record<string, unknown>>;
  /** Expert turns in all, those that were sent back included. */
  readonly maxIterations: number;
  readonly maxSteps: number;
  /** Whether a reviewer sees each; what answers name is looked up in any case, by the turn. */
  readonly isReviewed: boolean;
  /** To each expert, beside those of its role. */
  readonly instructions?: string;
}

/** What became of one step of the plan; of one that was sent back, of all its tries. */
export interface StepOutcome {
  readonly id: string;
  readonly expert: string;
  readonly title: string;
  /** `done`: nobody reviewed it. */
  readonly status: 'passed' | 'done' | 'sent_back' | 'failed' | 'stopped';
  /** With `(not found)` after what it names and what is not there. */
  readonly output: string;
  readonly feedback?: string;
  /** What stands behind it. */
  readonly basis: Basis;
  /** What it read and ran, in its last try. */
  readonly references: readonly Reference[];
  /** What it names and what is not there. */
  readonly missing: readonly string[];
  readonly model?: string;
  readonly durationMs: number;
  readonly tries: number;
}

/** Of whoever judges, before it answers. */
const MAX_READING_STEPS = 8;

const Review = z.object({
  passes: z.boolean().describe('Whether the answer does the task.'),
  feedback: z.string().max(4_000).describe('What is missing; empty where it passes.'),
});

/** The plan as a graph: its steps side by side as far as they do not need each other, each reviewed. */
export const workRun = defineRun({
  name: 'experts.work',
  version: 3,
  graph(input: WorkInput) {
    const { steps } = input.plan;
    return {
      nodes: Object.fromEntries(
        steps.map((step, index) => [step.id, nodeOf(step, turnsFor(index, input), input)]),
      ),
      result: ({ outputs }) => steps.map(({ id }) => outputs[id] as StepOutcome),
    };
  },
});

/** Turns are shared out beforehand, so that what one step may do never depends on how fast others are. */
function turnsFor(index: number, { plan, maxIterations }: WorkInput): number {
  const count = plan.steps.length;
  return Math.max(1, Math.floor(maxIterations / count) + (index < maxIterations % count ? 1 : 0));
}

function nodeOf(step: PlanStep, turns: number, input: WorkInput): GraphNode {
  return {
    title: `${step.expert}: ${step.title}`,
    needs: step.needs,
    maxVisits: turns,
    visit: (visit) => workOn(step, visit, input, visit.visit < turns),
    again: ({ outputs, visits }) =>
      (outputs[step.id] as StepOutcome).status === 'sent_back' && (visits[step.id] ?? 0) < turns
        ? [step.id]
        : [],
  };
}

async function workOn(
  step: PlanStep,
  { run, state, visit }: GraphVisit,
  { plan, context, maxSteps, isReviewed, instructions }: WorkInput,
  mayBeSentBack: boolean,
): Promise<StepOutcome> {
  const before = visit > 1 ? (state.outputs[step.id] as StepOutcome) : undefined;
  const turn: ExpertTurnInput = {
    role: step.expert,
    maxSteps,
    ...(instructions === undefined ? {} : { instructions }),
    assignment: {
      task: step.task,
      context,
      earlier: step.needs.map((need) => earlierWork(need, plan, state)),
      ...(before ? { sentBack: { output: before.output, feedback: before.feedback ?? '' } } : {}),
    },
  };
  const worked = await run
    .child('turn', turnRun, turn, { title: step.title })
    .catch((error: unknown) => failureOfTask(error));
  const done = { id: step.id, expert: step.expert, title: step.title, tries: visit };
  if (isToolError(worked)) {
    return {
      ...(before ?? {
        output: '',
        basis: 'believed',
        references: [],
        missing: [],
        durationMs: 0,
      }),
      ...done,
      status: 'failed',
      feedback: worked.message,
    };
  }
  const named = await lookUpNames(run, 'names', worked.output);
  const soFar = {
    ...done,
    output: named.marked,
    basis: basisOf(inventedOf(named, step.expert), worked.references),
    references: worked.references,
    missing: named.missing,
    model: worked.model,
    durationMs: (before?.durationMs ?? 0) + worked.durationMs,
  };
  if (worked.stopped !== undefined) return { ...soFar, status: 'stopped', feedback: worked.stopped };
  if (!isReviewed) return { ...soFar, status: 'done' };
  const { passes, feedback } = await reviewed(run, step, { named, references: worked.references });
  await run.host.models.judge({
    key: `${run.id}/${step.id}/${visit}`,
    isGood: passes,
    source: passes ? 'It passed its review.' : feedback,
    by: { model: worked.model, category: roleOf(step.expert).category },
  });
  return {
    ...soFar,
    status: passes ? 'passed' : 'sent_back',
    ...(passes
      ? {}
      : { feedback: mayBeSentBack ? feedback : `${feedback}\n\n(maxIterations is spent.)`.trim() }),
  };
}

/** What another task would not meet: the step failed, and the others are worth going on with. */
const OF_THIS_TASK = ['NEXUS_MODEL_REFUSED', 'NEXUS_MODEL_OUTPUT', 'NEXUS_MODEL_REJECTED'];

function failureOfTask(error: unknown): ToolError {
  if (isToolError(error) && OF_THIS_TASK.includes(error.code)) return error;
  throw error;
}

async function reviewed(
  run: RunContext,
  step: PlanStep,
  work: { readonly named: NamesLookedUp; readonly references: readonly Reference[] },
) {
  const { value } = await askModel(run, 'review', {
    schema: Review,
    system: REVIEWER,
    prompt: reviewPrompt(step, work),
    category: 'reasoning',
    step: { title: `reviews “${step.title}”` },
    maxReadingSteps: MAX_READING_STEPS,
  });
  // Whoever reviews runs nothing, and may tell what the expert ran.
  const called = work.references.map(({ tool }) => ({ name: tool }));
  return { ...value, feedback: markClaimsToHaveRun(value.feedback, called) };
}

function earlierWork(id: string, { steps }: Plan, { outputs }: GraphState) {
  const { expert = '', title = '' } = steps.find((step) => step.id === id) ?? {};
  const outcome = outputs[id] as StepOutcome | undefined;
  return { from: `${expert}: ${title}`, text: outcome?.output ?? '(nothing: this step did not end)' };
}
