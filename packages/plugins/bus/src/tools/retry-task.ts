import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { taskId } from '../fields.ts';
import * as tasks from '../tasks/retry-task.ts';
import { unmetNote } from '../tasks/unmet.ts';

export const retryTask = defineTool({
  name: 'retry_task',
  title: 'Retry task',
  description:
    'Queues a dead or cancelled task again with fresh attempts, or ends the pause before a retry. Others stay as they are; one that is done is refused.',
  input: z.object({ taskId: taskId.describe('The task.') }),
  output: z.object({
    taskId: z.string(),
    status: z.string(),
    isChanged: z.boolean(),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ taskId: id }, { state }: CallContext<BusState>) {
    const bus = await state.open();
    return { ...(await tasks.retryTask(bus, id)), ...(await unmetNote(bus, [id])) };
  },
});
