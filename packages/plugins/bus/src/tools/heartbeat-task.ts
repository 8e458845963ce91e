import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { json, leaseId, moment, toMoment } from '../fields.ts';
import { assertOwnLease } from '../tasks/lease.ts';
import { findNotes, noteView, toldNotes } from '../tasks/notes.ts';
import { updateLease } from '../tasks/update-lease.ts';

export const heartbeatTask = defineTool({
  name: 'heartbeat_task',
  title: 'Heartbeat task',
  description: 'Extends the lease: its full length from now. Answers notes on the task.',
  input: z.object({
    leaseId,
    progress: json.optional().describe('Partial work, for whoever takes it next.'),
  }),
  aliases: { taskId: 'leaseId', lease: 'leaseId' },
  output: z.object({
    taskId: z.string(),
    leaseExpiresAt: moment,
    notes: z.array(noteView).optional().describe('The newest, oldest first.'),
    notesTotal: z.int().optional().describe('Where there are more: task_status pages them.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ leaseId: id, progress }, context: CallContext<BusState>) {
    const bus = await context.state.open();
    await assertOwnLease(bus, id, context);
    const task = await updateLease(bus, id, (eb) => ({
      lease_expires_at: eb('timeout_ms', '+', bus.clock.now),
      ...(progress === undefined
        ? {}
        : {
            progress: JSON.stringify(progress),
            progress_by: eb.ref('lease_worker'),
            progress_at: bus.clock.now,
          }),
    }));
    // What was noted while the holder was at work, which it has from nowhere else.
    const notes = await findNotes(bus, task.id, { since: task.leased_at ?? 0 });
    const leaseExpiresAt = toMoment(task.lease_expires_at ?? 0);
    return { taskId: task.id, leaseExpiresAt, ...toldNotes(notes) };
  },
});
