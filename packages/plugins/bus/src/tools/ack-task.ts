import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { leaseId, moment, toMoment } from '../fields.ts';
import { assertOwnLease } from '../tasks/lease.ts';
import { updateLease } from '../tasks/update-lease.ts';

export const ackTask = defineTool({
  name: 'ack_task',
  title: 'Acknowledge task',
  description: 'Tells that work on the task has begun; shown by task_status. Does not extend the lease.',
  input: z.object({ leaseId }),
  aliases: { taskId: 'leaseId', lease: 'leaseId' },
  output: z.object({ taskId: z.string(), ackedAt: moment, leaseExpiresAt: moment }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ leaseId: id }, context: CallContext<BusState>) {
    const bus = await context.state.open();
    await assertOwnLease(bus, id, context);
    const { now } = bus.clock;
    const task = await updateLease(bus, id, (eb) => ({
      acked_at: eb.fn.coalesce('acked_at', now),
    }));
    return {
      taskId: task.id,
      ackedAt: toMoment(task.acked_at ?? 0),
      leaseExpiresAt: toMoment(task.lease_expires_at ?? 0),
    };
  },
});
