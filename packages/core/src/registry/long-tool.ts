import type { AnyTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { isRecord } from '../json-type.ts';
import { MAX_KEY_CHARS } from './max-key-chars.ts';
import { RegistrationError } from './registration-error.ts';

const addedInput = {
  dispatch: z.enum(['sync', 'async']).default('sync').describe('async: jobId at once.'),
  idempotencyKey: z.string().min(1).max(MAX_KEY_CHARS).optional().describe('Same key: same answer.'),
};

const addedOutput = {
  jobId: { type: 'string' },
  jobStatus: { type: 'string' },
} as const;

/** Absent where a call is answered without a run. */
const addedOutputOfRun = {
  runId: z.string().optional(),
  usage: z
    .object({
      calls: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      costUsd: z.number().optional(),
      pricedUsd: z.number().optional().describe('Of the calls with a known price, where others have none.'),
      keptCalls: z
        .int()
        .optional()
        .describe('Of an earlier run, whose answers were kept; counted nowhere else.'),
      unknownCalls: z
        .int()
        .optional()
        .describe('Interrupted, made again or not: nobody knows what they cost.'),
    })
    .optional()
    .describe('Of all calls of models by the run and its children, also those that failed.'),
  tookMs: z.int().optional(),
};

/** The input of a long tool as callers see it. */
export function withAddedInput({ input, isLong }: AnyTool): z.ZodObject {
  return isLong ? input.safeExtend(addedInput) : input;
}

/** The output of a tool as it is checked. */
export function withRunOutput({ output, run }: AnyTool): z.ZodObject {
  if (!run) return output;
  const { runId, usage, tookMs } = addedOutputOfRun;
  return z.object({ runId, ...output.shape, usage, tookMs });
}

/** As much of that as is listed: what every run ends with is in the docs, since each session pays for a list. */
export function withRunId({ output, run }: AnyTool): z.ZodObject {
  return run ? z.object({ runId: addedOutputOfRun.runId, ...output.shape }) : output;
}

/**
 * The output schema of a long tool, wide enough for the answer of `dispatch: "async"`. Nothing is required
 * any more: clients check each answer against it, and hosts do without unions at the top of a schema.
 */
export function withJobOutput(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { required: _, properties, ...rest } = schema;
  const { jobId } = addedOutput; // its status is said beside it, and by the tools of jobs
  return { ...rest, properties: { ...(isRecord(properties) ? properties : {}), jobId } };
}

/** @throws {RegistrationError} when a long tool has a name of its own for what is added to it */
export function assertNamesFree(tool: AnyTool, plugin: string): void {
  if (!tool.isLong) return;
  const taken = [
    ...Object.keys(addedInput).filter((name) => Object.hasOwn(tool.input.shape, name)),
    ...Object.keys({ ...addedOutput, ...(tool.run && addedOutputOfRun) }).filter((name) =>
      Object.hasOwn(tool.output.shape, name),
    ),
  ];
  if (taken.length === 0) return;
  const by = tool.run ? 'defineRunTool' : 'isLong';
  throw new RegistrationError(
    `plugin "${plugin}", tool "${tool.name}": ${by} adds ${taken.join(', ')} by itself; take the tool’s own out, or rename it`,
  );
}
