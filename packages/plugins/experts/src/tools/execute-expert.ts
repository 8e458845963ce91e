import {
  beginRun,
  type CallContext,
  capOf,
  defineTool,
  type ExpertTurnOutput,
  followRun,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ExpertsState } from '../state.ts';
import { turnRun } from '../turn/turn-run.ts';
import { context as contextField, role, usage } from './fields.ts';

export const executeExpert = defineTool({
  name: 'execute_expert',
  title: 'Execute expert',
  description:
    'Has one expert, made by create_expert, do one task with its tools, and answers what it found, which tools it called and what that cost. The expert reads code, memory and opened toolboxes; it writes only what the config allows.',
  input: z.object({
    expertId: z.string().min(1).max(100).describe('As create_expert answered it.'),
    task: z.string().min(1).max(50_000).describe('What is wanted, and all that must be known for it.'),
    context: contextField,
    timeoutMs: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .optional()
      .describe('After which the run fails; what is done is kept.'),
    previousExpertSummary: z
      .string()
      .max(50_000)
      .optional()
      .describe('What an expert before this one found; it reaches this one as data.'),
  }),
  output: z.object({
    runId: z.string(),
    expertId: z.string(),
    role,
    output: z.string(),
    stopped: z.string().optional().describe('Why it stopped before it had answered.'),
    toolCalls: z.array(z.object({ name: z.string(), isError: z.boolean() })),
    durationMs: z.number(),
    usage,
    model: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'pipeline',
  isLong: true,
  isResumable: true,
  async call(input, call: CallContext<ExpertsState>) {
    const { expertId, task, context, timeoutMs, previousExpertSummary } = input;
    const { state } = call;
    const expert = await state.created.find(expertId);
    const run = await beginRun(call, turnRun, {
      input: {
        role: expert.role,
        ...(expert.model === undefined ? {} : { model: expert.model }),
        ...(expert.instructions === undefined ? {} : { instructions: expert.instructions }),
        assignment: {
          task,
          ...(context === undefined ? {} : { context }),
          ...(previousExpertSummary === undefined
            ? {}
            : { earlier: [{ from: 'the expert before you', text: previousExpertSummary }] }),
        },
      },
      title: `${expert.role}: ${task}`,
      timeoutMs,
      cap: capOf(state.options),
    });
    const done = await followRun<ExpertTurnOutput>(run, call);
    const { inputTokens, outputTokens, costUsd } = done.usage;
    return {
      runId: run.id,
      expertId,
      role: expert.role,
      output: done.output,
      ...(done.stopped === undefined ? {} : { stopped: done.stopped }),
      toolCalls: done.toolCalls.map((each) => ({ ...each })),
      durationMs: done.durationMs,
      usage: { inputTokens, outputTokens, ...(costUsd === undefined ? {} : { costUsd }) },
      model: done.model,
    };
  },
});
