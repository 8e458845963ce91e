import { answerRoom, type CallContext, defineTool, jsonLength } from '@nexus/plugin-sdk';
import { begunAlone } from '@nexus/primitives';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { taskId } from '../fields.ts';
import { taskEventStates, taskLog } from '../tasks/task-log.ts';
import { taskStatusName } from '../tasks/task-status-name.ts';

/** What the answer says besides, in characters of JSON. */
const BESIDE = 90;

export const queryTaskState = defineTool({
  name: 'query_task_state',
  title: 'Query task state',
  description: 'How a task came to its state: each lease, how it ended and why.',
  input: z.object({
    taskId: taskId.describe('As submit_task named it.'),
    offset: z.int().min(0).max(10_000_000).default(0).describe('Newer to skip.'),
  }),
  output: z.object({
    status: taskStatusName,
    dependsOn: z.array(z.string()),
    events: z.array(
      z.object({
        at: z.string(),
        state: z.enum(taskEventStates),
        worker: z.string().optional(),
        reason: z.string().optional(),
        whole: z.string().optional().describe('All of it, by read_result.'),
      }),
    ),
    total: z.int(),
    nextOffset: z.int().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ taskId: id, offset }, context: CallContext<BusState>) {
    const { state, session } = context;
    const bus = await state.openToRead();
    const log = await taskLog(bus, id, offset);
    bus.lookedAt.tasks.add(session, [id]);
    bus.lookedAt.workers.add(
      session,
      log.events.flatMap(({ worker }) => worker ?? []),
    );
    const keep = async (text: string) =>
      (await context.host.results.keep({ text, mimeType: 'application/json' }, context)).uri;
    return {
      ...log,
      events: await begunAlone(log.events, {
        room: answerRoom(context.host.results) / 2 - BESIDE - jsonLength(log.dependsOn),
        keep,
      }),
      dependsOn: [...log.dependsOn],
    };
  },
});
