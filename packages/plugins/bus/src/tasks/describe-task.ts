import { jsonLength } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import { fittingPart, newestFitting, type Page, roomIn } from '../page.ts';
import { readNow } from '../read-now.ts';
import { type Caller, isHolder } from '../session-holds.ts';
import type { Outcome } from '../tables.ts';
import { around, type ToldValue, toldWithin, type Ways, waysOf } from './long-value.ts';
import { findNotes, noteView, progressOf, progressView } from './notes.ts';
import { outcomeOf } from './outcomes.ts';
import { findTask, selectTasks } from './read-tasks.ts';
import type { TaskRow } from './task-row.ts';
import { taskStatusName } from './task-status-name.ts';
import { type TaskView, toTaskView } from './task-view.ts';
import { findSkills, findUnmet } from './unmet.ts';

/** How many unfinished dependencies are named. */
const SHOWN_BLOCKERS = 50;

/** Of an answer; notes have what the rest of it leaves. */
const BLOCKERS_SHARE = 0.2;
const ATTEMPTS_SHARE = 0.3;
/** Of what those leave: payload, result and progress. */
const VALUES_SHARE = 0.8;

const attempt = z.object({
  worker: z.string(),
  outcome: z.enum([
    'done',
    'failed',
    'expired',
    'reset',
    'released',
    'handed',
    'cancelled',
  ] satisfies Outcome[]),
  reason: z.string().optional(),
  startedAt: z.string(),
  endedAt: z.string(),
});

/** What only the answer about a single task holds. */
export const taskDetail = z.looseObject({
  payload: z
    .unknown()
    .optional()
    .describe('Where it is long payloadStart, payloadChars, payloadUri; so is result.'),
  result: z.unknown().optional(),
  capabilities: z.array(z.string()),
  dependsOn: z.array(z.string()),
  blockedBy: z.array(z.object({ taskId: z.string(), status: taskStatusName, reason: z.string().optional() })),
  blockedByTotal: z.int().optional().describe('Where not all are named.'),
  attempts: z.array(attempt).describe('The newest, oldest first; times are ISO 8601.'),
  attemptsTotal: z.int().optional().describe('Where not all are named: query_task_state has them.'),
  progress: progressView.optional().describe('How far the last worker that told of it had come.'),
  notes: z.array(noteView).describe('The newest, oldest first.'),
  notesTotal: z.int(),
  notesNextOffset: z.int().optional().describe('The offset of those before.'),
  unmet: z.array(z.string()).optional().describe('What it needs, where no registered worker has all of it.'),
  cancelledWhy: z.string().optional(),
  leftOut: z.string().optional().describe('What has no room here.'),
  whole: z.string().optional().describe('All of it, by read_result.'),
});

export type TaskDetail = Readonly<z.output<typeof taskDetail>>;

/** @param caller who asks; @param notes which of the notes */
export async function describeTask(
  bus: Bus,
  id: string,
  { caller, notes }: { readonly caller: Caller; readonly notes: Page },
): Promise<{ view: TaskView; detail: TaskDetail }> {
  const row = await findTask(bus, id);
  const capabilities = await findSkills(bus, row);
  const unmet = (await findUnmet(bus, [row])).get(id);
  const others = {
    capabilities,
    dependsOn: await findDependencies(bus, id),
    ...(row.now_is === 'blocked' ? await findBlockers(bus, id) : { blockedBy: [] }),
    ...(await findLastAttempts(bus, id)),
    ...(unmet === undefined ? {} : { unmet }),
    ...(row.cancelled_why === null ? {} : { cancelledWhy: row.cancelled_why }),
  };
  const view = toTaskView(row, row.now_is, { now: await readNow(bus), isHolder: isHolder(caller, row) });
  const values = toldWithin(
    longOf(row),
    roomIn(bus, { share: VALUES_SHARE, beside: jsonLength({ view, others }) }),
  );
  const detail = { ...(Object.assign({}, ...values) as ToldValue), ...others };
  const room = roomIn(bus, { beside: jsonLength({ view, detail }) });
  return { view, detail: { ...detail, ...(await findNotes(bus, id, { ...notes, room })) } };
}

/** What of it may be long, each told by itself. */
function longOf(row: TaskRow): Ways<ToldValue>[] {
  const { id: taskId, payload, result } = row;
  const progress = progressOf(row);
  return [
    waysOf(payload, { taskId, part: 'payload' }),
    ...(result === null ? [] : [waysOf(result, { taskId, part: 'result' })]),
    ...(progress === undefined ? [] : [around(progress, (told) => ({ progress: told }))]),
  ];
}

export async function findDependencies({ db }: Bus, id: string): Promise<string[]> {
  const needs = await db
    .selectFrom('bus_task_dependencies')
    .select('depends_on')
    .where('task_id', '=', id)
    .execute();
  return needs.map((need) => need.depends_on);
}

async function findLastAttempts(
  bus: Bus,
  id: string,
): Promise<Pick<TaskDetail, 'attempts' | 'attemptsTotal'>> {
  const all = await findAttempts(bus, id);
  const attempts = newestFitting(all.toReversed(), roomIn(bus, { share: ATTEMPTS_SHARE }));
  return { attempts, ...(all.length > attempts.length ? { attemptsTotal: all.length } : {}) };
}

/** Oldest first. */
export async function findAttempts({ db }: Bus, id: string): Promise<TaskDetail['attempts']> {
  const rows = await db
    .selectFrom('bus_attempts')
    .selectAll()
    .where('task_id', '=', id)
    .orderBy('started_at')
    .execute();
  return rows.map((row) => ({
    worker: row.worker,
    outcome: outcomeOf(row),
    ...(row.reason === null ? {} : { reason: row.reason }),
    startedAt: toMoment(row.started_at),
    endedAt: toMoment(row.ended_at),
  }));
}

/** All unfinished tasks that this one waits for, directly or through others; dead ones with their reason. */
async function findBlockers(bus: Bus, id: string): Promise<Pick<TaskDetail, 'blockedBy' | 'blockedByTotal'>> {
  const rows = await bus.db
    .withRecursive('above', (db) =>
      db
        .selectFrom('bus_task_dependencies as need')
        .select('need.depends_on as needed')
        .where('need.task_id', '=', id)
        .union(
          db
            .selectFrom('bus_task_dependencies as need')
            .innerJoin('above', 'above.needed', 'need.task_id')
            .select('need.depends_on as needed'),
        ),
    )
    .selectFrom('above')
    .innerJoin('bus_tasks as task', 'task.id', 'above.needed')
    .select('task.id')
    .where('task.status', '!=', 'done')
    .orderBy('task.seq')
    .execute();
  if (rows.length === 0) return { blockedBy: [] };
  const first = rows.slice(0, SHOWN_BLOCKERS);
  const blockers = await selectTasks(bus, bus.clock.now)
    .where(
      'task.id',
      'in',
      first.map((row) => row.id),
    )
    .orderBy('task.seq')
    .execute();
  const named = await Promise.all(
    blockers.map(async (task) => {
      const blocker = { taskId: task.id, status: task.now_is };
      const reason =
        task.status === 'dead' ? (task.cancelled_why ?? (await lastReason(bus, task.id))) : undefined;
      return reason === undefined ? blocker : { ...blocker, reason };
    }),
  );
  const blockedBy = fittingPart(named, roomIn(bus, { share: BLOCKERS_SHARE }));
  return { blockedBy, ...(rows.length > blockedBy.length ? { blockedByTotal: rows.length } : {}) };
}

/** Why the task's last attempt failed. */
export async function lastReason({ db }: Bus, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('bus_attempts')
    .select('reason')
    .where('task_id', '=', id)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.reason ?? undefined;
}
