import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { json, leaseId } from '../fields.ts';
import * as tasks from '../tasks/complete-task.ts';
import { assertOwnLease } from '../tasks/lease.ts';

export const completeTask = defineTool({
  name: 'complete_task',
  title: 'Complete task',
  description:
    'Ends the task and keeps the result; its dependents become ready. Late work counts, and late says so, unless another has taken the task: then it is refused, naming the holder.',
  input: z.object({
    leaseId,
    result: json.describe('Any JSON, up to 1000000 characters.'),
  }),
  aliases: { taskId: 'leaseId', lease: 'leaseId' },
  output: z.object({ taskId: z.string(), status: z.literal('done'), late: z.boolean().optional() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ leaseId: id, result }, context: CallContext<BusState>) {
    const bus = await context.state.open();
    await assertOwnLease(bus, id, context);
    const { taskId, isLate } = await tasks.completeTask(bus, id, result);
    return { taskId, status: 'done' as const, ...(isLate ? { late: true } : {}) };
  },
});
