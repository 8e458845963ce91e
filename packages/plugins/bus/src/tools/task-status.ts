import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { taskId } from '../fields.ts';
import { describeTask, taskDetail } from '../tasks/describe-task.ts';
import { listTasks } from '../tasks/read-tasks.ts';
import { taskStatusName } from '../tasks/task-status-name.ts';
import { taskView } from '../tasks/task-view.ts';

export const taskStatus = defineTool({
  name: 'task_status',
  title: 'Task status',
  description:
    'One task by taskId, whose detail has payload, result, what blocks it and why each attempt ended; or the newest tasks, of one status if given. expired: the lease ran out, and the next poll takes the task back; dead: see retry_task.',
  input: z.object({
    taskId: taskId.optional().describe('One task.'),
    status: taskStatusName.optional().describe('Only for lists.'),
    limit: z.int().min(1).max(200).default(20).describe('Length of the list.'),
    offset: z.int().min(0).max(10_000_000).default(0).describe('Tasks to skip: nextOffset.'),
  }),
  output: z.object({
    tasks: z.array(taskView),
    total: z.int(),
    nextOffset: z.int().optional(),
    detail: taskDetail.optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ taskId: id, status, limit, offset }, { state, session }: CallContext<BusState>) {
    const bus = await state.open();
    if (id === undefined) return listTasks(bus, { status, limit, offset, session });
    if (status !== undefined) {
      throw new ToolError(
        'NEXUS_INVALID_ARGUMENTS',
        'Give taskId for one task or status for a list, not both.',
      );
    }
    const { view, detail } = await describeTask(bus, id, session);
    return { tasks: [view], total: 1, detail };
  },
});
