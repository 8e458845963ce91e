import {
  addUsage,
  defineRun,
  type GeneratedObject,
  type ModelUsage,
  modelCaller,
  type RunContext,
  ToolError,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ExpertsState } from '../state.ts';
import { Plan, planFaults } from './plan.ts';
import { answerPrompt, PLANNER, planAgainPrompt, planPrompt, WRITER } from './prompts.ts';
import { type StepOutcome, workRun } from './work-run.ts';

export interface OrchestrateInput {
  readonly task: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly maxIterations: number;
}

export interface OrchestrateOutput {
  readonly summary: string;
  readonly recommendations: readonly string[];
  readonly steps: readonly StepOutcome[];
  readonly usage: ModelUsage;
  /** Of those who planned and wrote. */
  readonly models: { readonly plan: string; readonly answer: string };
}

const Answer = z.object({
  summary: z.string().min(1).max(50_000).describe('The answer to the request, Markdown.'),
  recommendations: z
    .array(z.string().min(1).max(1_000))
    .max(30)
    .describe('What to do, the most important first.'),
});

/** Plan, work, answer; each model call a step of its own, so that a crash repeats none that had ended. */
export const orchestrateRun = defineRun({
  name: 'experts.orchestrate',
  version: 1,
  async run(input: OrchestrateInput, run: RunContext<ExpertsState>): Promise<OrchestrateOutput> {
    run.progress('plans the work');
    const plan = await soundPlan(input, run);
    run.progress(`works on ${plan.value.steps.length} steps`);
    const steps = await run.child(
      'work',
      workRun,
      {
        plan: plan.value,
        context: input.context,
        maxIterations: input.maxIterations,
        maxSteps: run.state.options.maxSteps,
      },
      { title: 'the steps of the plan', live: run.live },
    );
    run.progress('writes the answer');
    const answer = await asked(run, 'answer', {
      schema: Answer,
      system: WRITER,
      prompt: answerPrompt(input.task, steps),
    });
    return {
      ...answer.value,
      steps,
      usage: addUsage(plan.usage, ...steps.map(({ usage }) => usage), answer.usage),
      models: { plan: plan.model, answer: answer.model },
    };
  },
});

/** @throws {ToolError} NEXUS_MODEL_OUTPUT when the second plan can't be done either */
async function soundPlan(
  { task, context, maxIterations }: OrchestrateInput,
  run: RunContext<ExpertsState>,
): Promise<GeneratedObject<Plan>> {
  const prompt = planPrompt(task, context, maxIterations);
  const first = await asked(run, 'plan', { schema: Plan, system: PLANNER, prompt });
  const faults = planFaults(first.value, maxIterations);
  if (faults.length === 0) return first;
  const again = planAgainPrompt(prompt, first.value, faults);
  const second = await asked(run, 'plan again', { schema: Plan, system: PLANNER, prompt: again });
  const left = planFaults(second.value, maxIterations);
  if (left.length === 0) return { ...second, usage: addUsage(first.usage, second.usage) };
  const text = `${second.model} made no plan that can be done, not even when told what was wrong: ${left.join('; ')}. Ask for less at once, or choose another model.`;
  throw new ToolError('NEXUS_MODEL_OUTPUT', text, { detail: { model: second.model, faults: left } });
}

function asked<Schema extends z.ZodType>(
  run: RunContext,
  name: string,
  request: { readonly schema: Schema; readonly system: string; readonly prompt: string },
): Promise<GeneratedObject<z.output<Schema>>> {
  return run.step(name, ({ signal, idempotencyKey, ledger }) =>
    run.host.models.object(
      { ...request, category: 'reasoning', ledger, idempotencyKey },
      { ...modelCaller(run), signal },
    ),
  );
}
