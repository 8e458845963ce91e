import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { leaseId, moment, toMoment } from '../fields.ts';
import { assertOwnLease } from '../tasks/lease.ts';
import { updateLease } from '../tasks/update-lease.ts';

export const heartbeatTask = defineTool({
  name: 'heartbeat_task',
  title: 'Heartbeat task',
  description:
    'Extends the lease: its full length from now. Call before leaseExpiresAt; a lease that ran out is refused.',
  input: z.object({ leaseId }),
  output: z.object({ taskId: z.string(), leaseExpiresAt: moment }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ leaseId: id }, { state, user }: CallContext<BusState>) {
    const bus = await state.open();
    await assertOwnLease(bus, id, user);
    const task = await updateLease(bus, id, (eb) => ({
      lease_expires_at: eb('timeout_ms', '+', bus.clock.now),
    }));
    return { taskId: task.id, leaseExpiresAt: toMoment(task.lease_expires_at ?? 0) };
  },
});
