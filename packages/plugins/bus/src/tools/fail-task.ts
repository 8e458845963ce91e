import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { leaseId, moment, toMoment, workerName } from '../fields.ts';
import * as tasks from '../tasks/fail-task.ts';
import { assertOwnLease } from '../tasks/lease.ts';
import { unmetNote } from '../tasks/unmet.ts';

export const failTask = defineTool({
  name: 'fail_task',
  title: 'Fail task',
  description:
    'Gives the task back as failed: queued again at retryAt, or dead (a dead letter) when its attempts are spent or retry is false.',
  input: z.object({
    leaseId,
    reason: z.string().min(1).max(4_000).describe('Kept with the attempt.'),
    retry: z.boolean().default(true).describe('False: no further attempt.'),
    to: workerName.optional().describe('Hands it over, no attempt counted: a worker, or "*".'),
  }),
  aliases: { taskId: 'leaseId', lease: 'leaseId' },
  output: z.object({
    taskId: z.string(),
    status: z.enum(['queued', 'dead']),
    retryAt: moment.optional(),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ leaseId: id, reason, retry, to }, context: CallContext<BusState>) {
    if (to !== undefined && !retry) {
      const text = 'Give retry: false to end the task, or to for whom it is handed over, not both.';
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
    }
    const bus = await context.state.open();
    await assertOwnLease(bus, id, context);
    const failed =
      to === undefined
        ? await tasks.failTask(bus, id, { reason, mayRetry: retry })
        : await tasks.handOver(bus, id, { reason, to });
    const { taskId, retryAt } = failed;
    if (retryAt === undefined) return { taskId, status: 'dead' as const };
    const note = await unmetNote(bus, [taskId]);
    return { taskId, status: 'queued' as const, retryAt: toMoment(retryAt), ...note };
  },
});
