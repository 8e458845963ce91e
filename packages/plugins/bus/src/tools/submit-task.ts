import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { capabilities, json, taskId, taskLabel } from '../fields.ts';
import * as tasks from '../tasks/submit-task.ts';
import { unmetNote } from '../tasks/unmet.ts';

export const submitTask = defineTool({
  name: 'submit_task',
  title: 'Submit task',
  description:
    'Queues work for the next able worker that polls; task_status shows the result, or waits for it. A dependency that died blocks it until retried.',
  input: z.object({
    title: z.string().min(1).max(200).describe('One line.'),
    payload: json.describe('Any JSON, up to 1000000 characters.'),
    priority: z.int().min(0).max(4).default(2).describe('0 most urgent, 4 least.'),
    capabilities: capabilities.default([]).describe('The worker must have all; "@ann": is for ann.'),
    dependsOn: z.array(taskId).max(100).default([]).describe('taskIds to be done first.'),
    label: taskLabel.optional().describe('Group: "v2", or "v2/docs" below it.'),
    maxAttempts: z.int().min(1).max(20).default(3).describe('Then it is a dead letter.'),
    timeoutMs: z.int().min(100).max(86_400_000).optional().describe('Lease length, default 300000.'),
    idempotencyKey: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Once per label: again answers the first.'),
  }),
  aliases: {
    ...{ description: 'payload', prompt: 'payload', name: 'title' },
    ...{ dependencies: 'dependsOn', after: 'dependsOn', blockedBy: 'dependsOn' },
  },
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
  async call(input, { state, idempotencyKey, session }: CallContext<BusState>) {
    const bus = await state.open();
    const submitted = await tasks.submitTask(bus, { idempotencyKey, ...input });
    bus.lookedAt.tasks.add(session, [submitted.taskId]);
    return { ...submitted, ...(await unmetNote(bus, [submitted.taskId])) };
  },
});
