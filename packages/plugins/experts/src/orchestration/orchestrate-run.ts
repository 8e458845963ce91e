import {
  askModel,
  basisOf,
  defineRun,
  type GeneratedObject,
  hasSeen,
  lookUpNames,
  type Name,
  namesIn,
  namesThere,
  type RunContext,
  ToolError,
} from '@nexus/plugin-sdk';
import { markClaimsToHaveRun } from '@nexus/plugin-sdk/evidence';
import { counted } from '@nexus/primitives';
import { z } from 'zod';
import type { ExpertsState } from '../state.ts';
import { chooseEffort, type Effort } from './effort.ts';
import { fitPlan } from './fit-plan.ts';
import { Plan, planFaults } from './plan.ts';
import { answerPrompt, PLANNER, planAgainPrompt, planPrompt, WRITER } from './prompts.ts';
import { MAX_FAULTS, type ReportedFault, showFaults } from './show-faults.ts';
import { FAULTS_FORM, partFaults } from './told-faults.ts';
import { type StepOutcome, workRun } from './work-run.ts';

export interface OrchestrateInput {
  readonly task: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly maxIterations: number;
  readonly effort: Effort;
}

/** Where two steps said what can't both be so. */
export interface Contradiction {
  readonly between: readonly string[];
  readonly about: string;
  readonly holds: string;
  readonly because: string;
  /** Whether what it rests on is there, and whoever says what holds has opened a place of it. */
  readonly isSettled: boolean;
}

export interface OrchestrateOutput {
  /** With `(not found)` after what it names and what is not there, `(nothing was run)` after what was not. */
  readonly summary: string;
  readonly recommendations: readonly { readonly text: string; readonly basis: StepOutcome['basis'] }[];
  readonly contradictions: readonly Contradiction[];
  /** Absent of a run that began before faults were shown by running. */
  readonly faults?: readonly ReportedFault[];
  readonly steps: readonly StepOutcome[];
  /** What the answer names and what is not there, wherever in it. */
  readonly missing: readonly string[];
  /** How much was done, and why. */
  readonly effort: string;
  /** Of those who planned and wrote, where anybody did. */
  readonly models: { readonly plan?: string; readonly answer?: string };
}

/** Of whoever plans, to see what there is, and of whoever writes, to settle what others contradict each other in. */
const MAX_READING_STEPS = 8;

const Answer = z.object({
  summary: z.string().min(1).max(50_000).describe('The answer to the request, Markdown.'),
  recommendations: z
    .array(z.string().min(1).max(1_000))
    .max(30)
    .describe('What to do, the most important first.'),
  contradictions: z
    .array(
      z.object({
        between: z.array(z.string().max(40)).min(2).max(10).describe('Ids of the steps.'),
        about: z.string().min(1).max(500),
        holds: z.string().max(500).describe('What is so; empty where it is not settled.'),
        because: z.string().max(1_000).describe('What shows it: a place as path:line.'),
      }),
    )
    .max(20)
    .default([]),
  faults: z
    .array(z.string().min(1).max(2_000))
    .max(MAX_FAULTS)
    .default([])
    .describe(
      'Faults of the code that the work shows: what is wrong, where (path:line), when it shows, what should be.',
    ),
});

/** Plan, work, answer; each model call a step of its own, so that a crash repeats none that had ended. */
export const orchestrateRun = inVersion(6);

/**
 * As runs on record go on that were begun before the project said which names are symbols, and which are files, before
 * plans were fitted, and before planners read the project.
 */
export const orchestrateRunsBefore = [inVersion(5), inVersion(4), inVersion(3), inVersion(2)];

function inVersion(version: 2 | 3 | 4 | 5 | 6) {
  return defineRun({
    name: 'experts.orchestrate',
    version,
    async run(input: OrchestrateInput, run: RunContext<ExpertsState>): Promise<OrchestrateOutput> {
      const tellsFaults = version > 3;
      const { role, why } = chooseEffort(input.task, input.effort, await namedBy(input.task, run, version));
      if (role !== undefined) {
        const plan = {
          steps: [{ id: 'task', expert: role, title: 'The task', task: input.task, needs: [] }],
        };
        const steps = await worked(plan, input, run, { isReviewed: false, tellsFaults });
        return alone(steps, { run, why, models: {}, tellsFaults });
      }
      run.progress('plans the work');
      const planned = await soundPlan(input, run, version > 2);
      const isFitted = version > 3 && input.effort !== 'team';
      const plan = isFitted ? fitPlan(planned.value) : planned.value;
      const [wanted, turns] = [planned.value.steps.length, plan.steps.length];
      const isAlone = turns === 1;
      // More than one step of work is worth a second look, in however many turns it is done.
      const isReviewed = wanted > 1;
      const steps = await worked(plan, input, run, { isReviewed, tellsFaults: isAlone && tellsFaults });
      const models = { plan: planned.model };
      const joined =
        wanted > turns ? ` ${wanted} steps of the plan in ${turns}: those of one expert are one turn.` : '';
      if (isAlone) {
        const without = isReviewed ? 'without a writer' : 'without review and writer';
        const told = `${why}${joined} The plan has one step, so its answer is the answer, ${without}.`;
        return alone(steps, { run, why: told, models, tellsFaults });
      }
      run.progress('writes the answer');
      return written(input.task, steps, { run, why: `${why}${joined}`, models });
    },
  });
}

/** The files and symbols that a task names, each once: what may be the name of one is one where the project has it. */
async function namedBy(task: string, run: RunContext, version: number): Promise<string[]> {
  const names = namesIn(task);
  const ofFiles = names.filter(({ kind, isBare }) => kind === 'file' && isBare);
  // Until the sixth version a symbol between marks of code, or before empty brackets, was one.
  const isMarked = ({ from, to }: Name) => /^`|\(\)$/.test(task.slice(from, to));
  const sure = names.filter((name) =>
    version < 6 && name.kind === 'symbol' ? isMarked(name) : !name.isBare,
  );
  const isOpen = version > 5 ? sure.length < names.length : version > 4 && ofFiles.length > 0;
  if (!isOpen) return namesOf(sure);
  const there = await run.step(
    'named',
    ({ tools }) => namesThere(task, { project: run.host.project, tools }),
    { title: 'looks up what the task names' },
  );
  return namesOf(there);
}

const namesOf = (names: readonly Name[]) => [...new Set(names.map(({ name }) => name))];

async function worked(
  plan: Plan,
  { context, maxIterations }: OrchestrateInput,
  run: RunContext<ExpertsState>,
  { isReviewed, tellsFaults }: { readonly isReviewed: boolean; readonly tellsFaults: boolean },
) {
  run.progress(`works on ${plan.steps.length} ${plan.steps.length === 1 ? 'step' : 'steps'}`);
  const { maxSteps } = run.state.options;
  const instructions = tellsFaults ? { instructions: FAULTS_FORM } : {};
  const input = { plan, context, maxIterations, maxSteps, isReviewed, ...instructions };
  return run.child('work', workRun, input, { title: 'the steps of the plan' });
}

interface Done {
  readonly run: RunContext;
  readonly why: string;
  readonly models: OrchestrateOutput['models'];
}

/** One expert's answer is the answer. @throws {ToolError} NEXUS_MODEL_OUTPUT where there is none */
async function alone(
  steps: readonly StepOutcome[],
  { run, why, models, tellsFaults }: Done & { readonly tellsFaults: boolean },
): Promise<OrchestrateOutput> {
  const [step] = steps;
  if (!step || step.output === '') {
    const text = `The ${step?.expert} expert gave no answer: ${step?.feedback ?? 'it said nothing'}`;
    throw new ToolError('NEXUS_MODEL_OUTPUT', text, { detail: { refusedStep: 'work' } });
  }
  const { output, missing } = step;
  const { answer, claims } = tellsFaults ? partFaults(output) : { answer: output, claims: [] };
  const faults = await showFaults(claims, run);
  return {
    ...{ summary: answer, recommendations: [], contradictions: [], faults, steps, missing },
    ...{ effort: why, models },
  };
}

async function written(
  task: string,
  steps: readonly StepOutcome[],
  { run, why, models }: Done,
): Promise<OrchestrateOutput> {
  const {
    value,
    model,
    seen = [],
  } = await askModel(run, 'answer', {
    schema: Answer,
    system: WRITER,
    prompt: answerPrompt(task, steps),
    category: 'reasoning',
    maxReadingSteps: MAX_READING_STEPS,
  });
  // Whoever writes runs nothing: what was called is what was called for the steps.
  const called = steps.flatMap(({ references }) => references.map(({ tool }) => ({ name: tool })));
  const mark = (text: string) => markClaimsToHaveRun(text, called);
  const named = await lookUpNames(run, 'names', value.summary);
  const missing = [...named.missing];
  const recommendations = [];
  for (const [index, text] of value.recommendations.entries()) {
    const found = await lookUpNames(run, `names ${index + 1}`, text);
    recommendations.push({ text: mark(found.marked), basis: basisOf(found) });
    missing.push(...found.missing);
  }
  const contradictions = [];
  for (const [index, each] of value.contradictions.entries()) {
    const found = await lookUpNames(run, `settled ${index + 1}`, each.because);
    const isSeen = found.places.some((place) => hasSeen(seen, place));
    const isSettled = each.holds !== '' && isSeen && found.missing.length === 0;
    contradictions.push({
      ...each,
      ...{ about: mark(each.about), holds: mark(each.holds), because: mark(found.marked) },
      isSettled,
    });
    missing.push(...found.missing);
  }
  // An answer on record may be of before there were any.
  const faults = await showFaults((value as Partial<typeof value>).faults ?? [], run);
  return {
    summary: mark(named.marked),
    recommendations,
    contradictions,
    faults: faults.map((fault) => ({ ...fault, claim: mark(fault.claim) })),
    steps,
    missing: [...new Set(missing)],
    effort: `${why} ${counted(steps.length, 'step')}, each reviewed, and a writer.`,
    models: { ...models, answer: model },
  };
}

/** @throws {ToolError} NEXUS_MODEL_OUTPUT when the second plan can't be done either */
async function soundPlan(
  { task, context, maxIterations }: OrchestrateInput,
  run: RunContext<ExpertsState>,
  reads: boolean,
): Promise<GeneratedObject<Plan>> {
  const prompt = planPrompt(task, context, maxIterations);
  const asked = {
    ...({ schema: Plan, system: PLANNER, category: 'reasoning' } as const),
    ...(reads && { maxReadingSteps: MAX_READING_STEPS }),
    step: { title: 'plan' },
  };
  const first = await askModel(run, 'plan', { ...asked, prompt });
  const faults = planFaults(first.value, maxIterations);
  if (faults.length === 0) return first;
  const second = await askModel(run, 'plan again', {
    ...asked,
    prompt: planAgainPrompt(prompt, first.value, faults),
  });
  const left = planFaults(second.value, maxIterations);
  if (left.length === 0) return second;
  const text = `${second.model} made no plan that can be done, not even when told what was wrong: ${left.join('; ')}. Ask for less at once, or choose another model.`;
  throw new ToolError('NEXUS_MODEL_OUTPUT', text, {
    detail: { model: second.model, faults: left, refusedStep: 'plan again' },
  });
}
