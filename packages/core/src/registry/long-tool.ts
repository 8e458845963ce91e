import type { AnyTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { MAX_KEY_CHARS } from '../jobs/job-arguments.ts';
import { isRecord } from '../normalization/json-type.ts';
import { RegistrationError } from './registration-error.ts';

const addedInput = {
  dispatch: z
    .enum(['sync', 'async'])
    .default('sync')
    .describe('async: answer at once with a jobId, to ask for the result by later.'),
  idempotencyKey: z
    .string()
    .min(1)
    .max(MAX_KEY_CHARS)
    .optional()
    .describe('Repeated with the same key and arguments, the call is answered from its record.'),
};

const addedOutput = {
  jobId: { type: 'string' },
  jobStatus: { type: 'string' },
} as const;

/** The input of a long tool as callers see it. */
export function withJobInput(tool: AnyTool): z.ZodObject {
  return tool.isLong ? tool.input.safeExtend(addedInput) : tool.input;
}

/**
 * The output schema of a long tool, wide enough for the answer of `dispatch: "async"`. Nothing is required
 * any more: clients check each answer against it, and hosts do without unions at the top of a schema.
 */
export function withJobOutput(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { required: _, properties, ...rest } = schema;
  return { ...rest, properties: { ...(isRecord(properties) ? properties : {}), ...addedOutput } };
}

/** @throws {RegistrationError} when a long tool has a name of its own for what is added to it */
export function assertNamesFree(tool: AnyTool, plugin: string): void {
  if (!tool.isLong) return;
  const taken = [
    ...Object.keys(addedInput).filter((name) => Object.hasOwn(tool.input.shape, name)),
    ...Object.keys(addedOutput).filter((name) => Object.hasOwn(tool.output.shape, name)),
  ];
  if (taken.length === 0) return;
  throw new RegistrationError(
    `plugin "${plugin}", tool "${tool.name}": isLong adds ${taken.join(', ')} by itself; take the tool’s own out, or rename it`,
  );
}
