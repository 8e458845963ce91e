import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { taskId } from '../fields.ts';
import * as tasks from '../tasks/retry-task.ts';

export const retryTask = defineTool({
  name: 'retry_task',
  title: 'Retry task',
  description:
    'Queues a dead or cancelled task again with fresh attempts, or ends the pause before a retry. Others stay as they are; one that is done is refused.',
  input: z.object({ taskId: taskId.describe('The task.') }),
  output: z.object({ taskId: z.string(), status: z.string(), isChanged: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ taskId: id }, { state }: CallContext<BusState>) {
    return tasks.retryTask(await state.open(), id);
  },
});
