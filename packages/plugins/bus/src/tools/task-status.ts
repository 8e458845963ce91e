import { type CallContext, defineTool, jsonLength, ToolError } from '@nexus/plugin-sdk';
import { cutEndCounted, firstCharacters } from '@nexus/primitives';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { fewerTold } from '../fewer-told.ts';
import { taskId, taskLabel } from '../fields.ts';
import { describeTask, type TaskDetail, taskDetail } from '../tasks/describe-task.ts';
import { listTasks } from '../tasks/read-tasks.ts';
import { taskStatusName } from '../tasks/task-status-name.ts';
import { type TaskView, taskView } from '../tasks/task-view.ts';
import { waitUntilOver } from '../tasks/wait-until-over.ts';

/** An answer must be out before the call's own deadline. */
const ANSWER_MARGIN_MS = 1_000;

export const taskStatus = defineTool({
  name: 'task_status',
  title: 'Task status',
  description:
    'One task by taskId, with payload, result, progress, notes, attempts and what blocks it; or the newest. expired: the next poll takes it back; dead: see retry_task.',
  input: z.object({
    taskId: taskId.optional().describe('One task.'),
    status: taskStatusName.optional().describe('For lists, as label and query.'),
    label: taskLabel.optional().describe('Or below it.'),
    query: z.string().max(200).optional().describe('Words of title or worker.'),
    waitMs: z
      .int()
      .min(0)
      .max(50_000)
      .default(0)
      .describe('Waits until taskId, or all of label, are over or stuck.'),
    limit: z.int().min(1).max(200).default(20).describe('Length of the list, or of notes.'),
    offset: z.int().min(0).max(10_000_000).default(0).describe('Tasks to skip, or newer notes.'),
  }),
  aliases: { id: 'taskId', task: 'taskId', tag: 'label' },
  output: z.object({
    tasks: z.array(taskView),
    total: z.int(),
    nextOffset: z.int().optional(),
    detail: taskDetail.partial().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ taskId: id, waitMs, ...filter }, context: CallContext<BusState>) {
    const { state, session, signal, deadline } = context;
    const { status, label, query, limit, offset } = filter;
    // Who waits for changes needs the tables that they are made in.
    const bus = await (waitMs > 0 ? state.open() : state.openToRead());
    const lookedAt = (tasks: readonly TaskView[]) => {
      bus.lookedAt.tasks.add(
        session,
        tasks.map(({ taskId }) => taskId),
      );
      bus.lookedAt.workers.add(
        session,
        tasks.flatMap(({ worker }) => worker ?? []),
      );
    };
    const wait = { until: Math.min(Date.now() + waitMs, deadline - ANSWER_MARGIN_MS), signal };
    if (id === undefined) {
      if (waitMs > 0 && label === undefined) throw faulty('waitMs needs taskId or label: what to wait for.');
      if (waitMs > 0 && label !== undefined) await waitUntilOver(bus, { label }, wait);
      const listed = await listTasks(bus, { ...filter, caller: context });
      lookedAt(listed.tasks);
      return listed;
    }
    if ([status, label, query].some((each) => each !== undefined)) {
      throw faulty('Give taskId for one task, or status, label and query for a list, not both.');
    }
    if (waitMs > 0) await waitUntilOver(bus, { taskId: id }, wait);
    const described = await describeTask(bus, id, { caller: context, notes: { limit, offset } });
    lookedAt([described.view]);
    return inRoom(described, context);
  },
});

/** Of a task that a host has no room for, in this order; where to read its values goes last. */
const LEFT_OUT_FIRST = [
  'payloadStart',
  'resultStart',
  'attempts',
  'progress',
  'blockedBy',
  'unmet',
  'cancelledWhy',
  'dependsOn',
  'capabilities',
  'notes',
  'notesNextOffset',
  'resultChars',
  'resultUri',
  'payloadChars',
  'payloadUri',
];
/** Of its title, where even that is too much. */
const TITLE_CHARS = 30;

/** With as much told of the task as the answer holds; what it has no room for is named, and all of it kept. */
async function inRoom(
  { view, detail }: Awaited<ReturnType<typeof describeTask>>,
  context: CallContext<BusState>,
) {
  const { results } = context.host;
  const answer = (shown: TaskView, told: Partial<typeof detail>) => ({
    tasks: [shown],
    total: 1,
    detail: told,
  });
  // The answer is there twice, as text and as structure.
  const hasRoom = (told: object) => 2 * jsonLength(told) <= results.maxChars;
  const whole = answer(view, detail);
  if (hasRoom(whole)) return whole;
  const text = JSON.stringify({ ...view, ...detail });
  const { uri } = await results.keep({ text, mimeType: 'application/json' }, context);
  const { label: _, ackedAt: __, ...rest } = view;
  const brief = { ...rest, title: cutEndCounted(view.title, TITLE_CHARS) };
  const answers = [view, brief].flatMap((shown) =>
    [detail, ...fewerTold(detail, LEFT_OUT_FIRST)].map((told) => {
      const { notes, ...others } = { ...told, whole: uri };
      const left = results.maxChars / 2 - jsonLength(answer(shown, { ...others, notes: [] }));
      return answer(shown, { ...others, ...(notes ? { notes: begunNotes(notes, left) } : {}) });
    }),
  );
  return answers.find(hasRoom) ?? answers.at(-1) ?? whole;
}

/** Of its text, as JSON: with less a note says nothing, and is left out. */
const LEAST_OF_NOTE = 60;
/** What says of a text how much of it is left out. */
const LEFT_OUT_CHARS = 30;

/** One that is alone and too long has its beginning: all of it is in the whole. */
function begunNotes(notes: TaskDetail['notes'], room: number): TaskDetail['notes'] {
  const [only, other] = notes;
  if (!only || other || jsonLength(only) <= room) return notes;
  const left = Math.max(LEAST_OF_NOTE, room - jsonLength({ ...only, text: '' }) - LEFT_OUT_CHARS);
  const begun = firstCharacters(only.text, left, (part) => jsonLength(part) - 2);
  return [{ ...only, text: cutEndCounted(only.text, begun.length) }];
}

function faulty(text: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
