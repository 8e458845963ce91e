import {
  beginRun,
  type CallContext,
  capOf,
  defineTool,
  followRun,
  ToolError,
  takeUpRun,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type OrchestrateOutput, orchestrateRun } from '../orchestration/orchestrate-run.ts';
import type { ExpertsState } from '../state.ts';
import { context as contextField, usage } from './fields.ts';

const step = z.object({
  id: z.string(),
  expert: z.string(),
  task: z.string(),
  status: z.enum(['passed', 'sent_back', 'failed', 'stopped']),
  output: z.string(),
  feedback: z.string().optional().describe('Why it did not pass.'),
  tries: z.int(),
  durationMs: z.number(),
  model: z.string().optional(),
});

export const orchestrate = defineTool({
  name: 'orchestrate',
  title: 'Orchestrate',
  description:
    'Has a team of experts do a task: plans it, runs independent steps side by side, has each reviewed and sent back until it passes, and answers from what was done. For work of several kinds; for one kind, execute_expert is cheaper. The experts read code, memory and opened toolboxes; they write only what the config allows.',
  input: z.object({
    task: z
      .string()
      .min(1)
      .max(50_000)
      .optional()
      .describe('What is wanted, and all that must be known for it. Needed unless resume is given.'),
    context: contextField,
    maxIterations: z
      .int()
      .min(1)
      .max(50)
      .default(10)
      .describe('Turns of experts at most, those of work that was sent back included.'),
    timeout: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .optional()
      .describe('Milliseconds after which the run fails; what is done is kept.'),
    resume: z
      .string()
      .max(100)
      .optional()
      .describe('runId of an earlier run to go on with; task and the rest are then that run’s own.'),
  }),
  output: z.object({
    runId: z.string(),
    summary: z.string(),
    steps: z.array(step),
    experts_consulted: z.array(z.string()),
    recommendations: z.array(z.string()),
    usage,
    models: z.object({ plan: z.string(), answer: z.string() }),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'pipeline',
  isLong: true,
  isResumable: true,
  async call({ task, context = {}, maxIterations, timeout, resume }, call: CallContext<ExpertsState>) {
    const cap = capOf(call.state.options);
    const run =
      resume === undefined
        ? await beginRun(call, orchestrateRun, {
            input: { task: neededTask(task), context, maxIterations },
            title: neededTask(task),
            timeoutMs: timeout,
            cap,
          })
        : await takeUpRun(resume, orchestrateRun, call, { cap });
    const done = await followRun<OrchestrateOutput>(run, call);
    const { costUsd, inputTokens, outputTokens } = done.usage;
    return {
      runId: run.id,
      summary: done.summary,
      steps: done.steps.map(({ title, usage: _, ...rest }) => ({ ...rest, task: title })),
      experts_consulted: [...new Set(done.steps.map(({ expert }) => expert))],
      recommendations: [...done.recommendations],
      usage: { inputTokens, outputTokens, ...(costUsd === undefined ? {} : { costUsd }) },
      models: done.models,
    };
  },
});

function neededTask(task: string | undefined): string {
  if (task !== undefined) return task;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    'State the task, or with resume the runId of an earlier run.',
  );
}
