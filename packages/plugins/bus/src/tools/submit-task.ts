import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { capabilities, json, taskId } from '../fields.ts';
import * as tasks from '../tasks/submit-task.ts';
import { isAnyAble } from '../workers.ts';

export const submitTask = defineTool({
  name: 'submit_task',
  title: 'Submit task',
  description:
    'Queues work for the next worker that polls and has the capabilities. Does not wait: task_status shows the result. If a dependency becomes a dead letter, the task stays blocked until that is retried.',
  input: z.object({
    title: z.string().min(1).max(200).describe('One line.'),
    payload: json.describe('Any JSON, up to 1000000 characters.'),
    priority: z.int().min(0).max(4).default(2).describe('0 most urgent, 4 least.'),
    capabilities: capabilities.default([]).describe('The worker must have all of them.'),
    dependsOn: z.array(taskId).max(100).default([]).describe('taskIds that must be done first.'),
    maxAttempts: z.int().min(1).max(20).default(3).describe('Then it is a dead letter.'),
    timeoutMs: z
      .int()
      .min(100)
      .max(86_400_000)
      .optional()
      .describe('Lease length in ms, default 300000: then it is taken back unless heartbeat_task came.'),
    idempotencyKey: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Again with the same task: answers the first. With another: conflict.'),
  }),
  output: z.object({
    taskId: z.string(),
    status: z.string(),
    isDuplicate: z.boolean(),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  // By a step's own key, one that is done again after a crash finds the task that it made.
  isResumable: true,
  async call(input, { state, idempotencyKey }: CallContext<BusState>) {
    const bus = await state.open();
    const submitted = await tasks.submitTask(bus, { idempotencyKey, ...input });
    if (input.capabilities.length === 0 || (await isAnyAble(bus, input.capabilities))) return submitted;
    const needs = [...new Set(input.capabilities)].sort().join(', ');
    const note = `No registered worker has all of ${needs}: the task waits for one that registers with them.`;
    return { ...submitted, note };
  },
});
