import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { assertLookedAt } from '../assert-looked-at.ts';
import type { BusState } from '../bus.ts';
import { taskId } from '../fields.ts';
import { authorOf } from '../tasks/author-of.ts';
import { findTask } from '../tasks/read-tasks.ts';
import { unmetNote } from '../tasks/unmet.ts';
import * as tasks from '../tasks/update-task.ts';

export const updateTask = defineTool({
  name: 'update_task',
  title: 'Update task',
  description: 'Changes a task: all that is given, or nothing. retry_task undoes cancel.',
  input: z.object({
    taskId: taskId.describe('The task.'),
    cancel: z.string().min(1).max(1_000).optional().describe('Why: ends it and its lease.'),
    priority: z.int().min(0).max(4).optional().describe('0 most urgent.'),
    dependsOn: z.array(taskId).max(100).optional().describe('Added.'),
    note: z.string().min(1).max(4_000).optional().describe('For who works on it.'),
  }),
  output: z.object({ taskId: z.string(), status: z.string(), note: z.string().optional() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ taskId: id, ...change }, context: CallContext<BusState>) {
    const { state, session } = context;
    const bus = await state.open();
    await findTask(bus, id);
    if (change.cancel !== undefined) assertLookedAt(bus, { session, kind: 'tasks', id });
    const author = await authorOf(bus, id, context);
    const status = await tasks.updateTask(bus, { taskId: id, ...change }, author);
    return { taskId: id, status, ...(await unmetNote(bus, [id])) };
  },
});
