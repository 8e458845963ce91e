import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { json, leaseId } from '../fields.ts';
import * as tasks from '../tasks/complete-task.ts';

export const completeTask = defineTool({
  name: 'complete_task',
  title: 'Complete task',
  description:
    'Ends the task and keeps the result; its dependents become ready. Refused, naming the present holder, when the lease is over.',
  input: z.object({
    leaseId,
    result: json.describe('Any JSON, up to 1000000 characters.'),
  }),
  output: z.object({ taskId: z.string(), status: z.literal('done') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ leaseId: id, result }, { state }: CallContext<BusState>) {
    return { taskId: await tasks.completeTask(await state.open(), id, result), status: 'done' as const };
  },
});
