import { type CallContext, defineTool, jsonLength } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { z } from 'zod';
import type { Bus, BusState } from '../bus.ts';
import { fewerTold } from '../fewer-told.ts';
import { moment, newWorkerName, outlivesSession, toMoment } from '../fields.ts';
import { confirmShown } from '../messages/batches.ts';
import { countUnread } from '../messages/count-unread.ts';
import { roomIn } from '../page.ts';
import { sharedNote } from '../pollers.ts';
import { isFull } from '../tasks/claim-task.ts';
import { dependencyResults } from '../tasks/dependency-results.ts';
import { lastAttempt } from '../tasks/last-attempt.ts';
import { toldWithin, waysOf } from '../tasks/long-value.ts';
import { nextMomentMs } from '../tasks/next-moment.ts';
import { findNotes, progressOf, toldNotes } from '../tasks/notes.ts';
import { type TaskRow, toLeased } from '../tasks/task-row.ts';
import { takeBack, waitForTask } from '../tasks/wait-for-task.ts';
import { greetWorker, setTold } from '../workers.ts';

/** An answer must be out before the call's own deadline. */
const ANSWER_MARGIN_MS = 1_000;

/** Of an answer. */
const PAYLOAD_SHARE = 0.8;
/** Of what an answer has room for beside the task itself. */
const DEPENDENCIES_SHARE = 0.4;
const NOTES_SHARE = 0.25;
const PROGRESS_SHARE = 0.35;
/** What the answer says beside the task and the note, in characters of JSON. */
const BESIDE = 60;
/** Of an answer, where it does not hold all of it. */
const NOTE_SHARE = 0.2;

/** Of a task that a host has no room for, in this order; task_status has it. What the lease is ended by always stays. */
const LEFT_OUT_FIRST = [
  'notes',
  'dependencies',
  'progress',
  'lastAttempt',
  'payloadStart',
  'title',
  'priority',
  'maxAttempts',
  'attempt',
];

const leasedTask = z.looseObject({
  taskId: z.string(),
  leaseId: z.string(),
  leaseExpiresAt: moment,
});

export const pollTask = defineTool({
  name: 'poll_task',
  title: 'Poll task',
  description:
    'Leases the worker its next task, with results of its dependencies; null when there is none. With the leaseId: heartbeat_task before leaseExpiresAt, then complete_task or fail_task; run out, it is a failed attempt. Ends with your session. unread: see fetch_inbox.',
  input: z.object({
    worker: newWorkerName.describe('Your worker name.'),
    waitMs: z.int().min(0).max(50_000).default(0).describe('Wait this long for a task, or a message.'),
    outlivesSession,
  }),
  aliases: { name: 'worker', agent: 'worker' },
  output: z.object({
    task: leasedTask.nullable(),
    retryAfterMs: z.int().optional(),
    unread: z.int(),
    note: z.string().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ worker: name, waitMs, outlivesSession }, context: CallContext<BusState>) {
    const { state, session, signal, deadline, user } = context;
    const bus = await state.open();
    const { worker, isNew } = await bus.inTurn(() => greetWorker(bus, { name, user }));
    bus.lookedAt.workers.add(session, [name]);
    const isShared = await bus.inTurn(async () => {
      await confirmShown(bus, session, name);
      return bus.pollers.polls(name, context);
    });
    const hints = [
      // A mistyped name would wait for ever for what is addressed to the right one; which is another's to say.
      ...(isNew ? [`"${name}" was no worker before, and is registered now, without capabilities.`] : []),
      ...(isShared ? [sharedNote(name)] : []),
    ];
    const { client, run } = context;
    const holder = await bus.holds.holderOf({ session, client, run, outlivesSession });
    const until = Math.min(Date.now() + waitMs, deadline - ANSWER_MARGIN_MS);
    const row = await waitForTask(bus, { worker, holder }, { until, signal });
    try {
      const { unread, retryAfterMs } = await bus.inTurn(async () => {
        if (!row && (await isFull(bus, worker))) {
          hints.push(
            `"${name}" holds ${worker.maxTasks === 1 ? '1 task' : `${worker.maxTasks} tasks`}, as many as its maxTasks lets it: end one first.`,
          );
        }
        const unread = await countUnread(bus, name);
        if (unread !== worker.told) await setTold(bus, name, unread);
        return { unread, retryAfterMs: row ? undefined : await nextMomentMs(bus) };
      });
      const maxChars = Math.floor(bus.results.maxChars / 2);
      const said = cutEndCounted(hints.join(' '), Math.floor(NOTE_SHARE * maxChars));
      const note = hints.length > 0 ? { note: said } : {};
      const leased = row && (await leasedOf(bus, row, note));
      const task = leased && inRoom(leased, maxChars - jsonLength(note) - BESIDE);
      // The last thing before the answer.
      signal.throwIfAborted();
      if (!task) return { task: null, retryAfterMs, unread, ...note };
      bus.lookedAt.tasks.add(session, [task.taskId]);
      return { task, unread, ...note };
    } catch (error) {
      await takeBack(bus, worker, row);
      throw error;
    }
  },
});

type LeasedTask = Awaited<ReturnType<typeof leasedOf>>;

/** @param room characters of JSON */
function inRoom(task: LeasedTask, room: number) {
  const { taskId, leaseId, leaseExpiresAt } = task;
  if (jsonLength(task) <= room) return task;
  const fewer = [...fewerTold(task, LEFT_OUT_FIRST)];
  const told = fewer.find((each) => jsonLength(each) <= room) ?? fewer.at(-1);
  return { ...told, taskId, leaseId, leaseExpiresAt };
}

/** The task as its worker gets it, with what it waited for and what others left. @param note what the answer has beside */
async function leasedOf(bus: Bus, row: TaskRow, note: { readonly note?: string }) {
  const before = await lastAttempt(bus, row.id);
  const leased = toLeased(row);
  const of = {
    taskId: row.id,
    title: row.title,
    priority: row.priority,
    attempt: row.attempts + 1,
    maxAttempts: row.max_attempts,
    leaseId: leased.leaseId,
    leaseExpiresAt: toMoment(leased.expiresAt),
    leaseMs: row.timeout_ms,
    ...(before === undefined ? {} : { lastAttempt: before }),
  };
  const payload = toldWithin(
    [waysOf(row.payload, { taskId: row.id, part: 'payload' })],
    roomIn(bus, { share: PAYLOAD_SHARE, beside: jsonLength({ of, ...note }) }),
  );
  const task = { ...of, ...payload[0] };
  const roomOf = (share: number) => roomIn(bus, { share, beside: jsonLength({ task, ...note }) });
  const dependencies = await dependencyResults(bus, row.id, roomOf(DEPENDENCIES_SHARE));
  const notes = await findNotes(bus, row.id, { room: roomOf(NOTES_SHARE) });
  const ways = progressOf(row);
  const [progress] = ways ? toldWithin([ways], roomOf(PROGRESS_SHARE)) : [];
  return {
    ...task,
    ...dependencies,
    ...toldNotes(notes),
    ...(progress === undefined ? {} : { progress }),
  };
}
