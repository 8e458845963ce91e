import { ANSWER_MS, endsWithin } from '@nexus/core';
import { ID_SORTS } from '@nexus/primitives';
import type { Client } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { fail } from '../terminal/output.ts';
import { idByPrefix, shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { showBus, unmetLines } from './bus-view.ts';
import {
  type Command,
  configOption,
  faultOfForeign,
  jsonOption,
  limit,
  limitOption,
  text,
} from './command.ts';

interface Tasks extends Pick<ToolAnswer<'task_status'>, 'tasks' | 'total'> {
  readonly counts: Counts;
  readonly unmet: ToolAnswer<'bus_status'>['unmet'];
}

type Counts = ToolAnswer<'bus_status'>['tasks'];

/** What needs somebody, then what is at work, then what waits, then what is over. */
const BY_CONCERN = ['dead', 'expired', 'leased', 'queued', 'blocked', 'done', 'cancelled'] as const;

const STATUSES = Object.keys({
  queued: true,
  blocked: true,
  leased: true,
  expired: true,
  done: true,
  dead: true,
  cancelled: true,
} satisfies Record<Tasks['tasks'][number]['status'], true>);

export const tasks: Command = {
  usage: 'tasks [taskId]',
  summary: 'show the tasks of the bus, those that need somebody first, or one task',
  options: [
    {
      flags: '--status <status>',
      description: `only ${STATUSES.slice(0, -1).join(', ')} or ${STATUSES.at(-1)} ones`,
      choices: STATUSES,
    },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['tasks', 'tasks --status dead', 'tasks --json --limit 200', 'tasks task_ddba40c2'],
  async run([taskId], options) {
    if (taskId !== undefined) {
      const words = { readBy: 'nexus tasks', asked: 'nexus tasks <id>' };
      const fault = faultOfForeign(['status', 'limit'], words, options);
      return fault === undefined ? showOne(String(taskId), options) : fail(fault);
    }
    const status = text(options, 'status');
    return showBus<Tasks>(
      {
        async read(client) {
          const { tasks: counts, unmet } = await readTool(client, 'bus_status', { limit: 3 });
          // A program gets all rows, newest first, unless it said how many.
          const most =
            options.json && options.limit === undefined ? Number.POSITIVE_INFINITY : limit(options);
          if (options.json || status !== undefined)
            return { counts, unmet, ...(await readPages(client, { status, most })) };
          return { counts, unmet, ...(await readByConcern(client, counts, most)) };
        },
        lines: (answer) => describe(answer, status),
      },
      options,
    );
  },
};

/** Of each status the newest; no status keeps more than half of what is left from those behind it. */
async function readByConcern(
  client: Client,
  counts: Counts,
  most: number,
): Promise<Omit<Tasks, 'counts' | 'unmet'>> {
  const tasks: Tasks['tasks'][number][] = [];
  const present = BY_CONCERN.filter((status) => (counts[status] ?? 0) > 0);
  for (const [at, status] of present.entries()) {
    const behind = present.slice(at + 1).reduce((sum, each) => sum + (counts[each] ?? 0), 0);
    const left = most - tasks.length;
    const share = Math.max(Math.ceil(left / 2), left - behind);
    if (share > 0) tasks.push(...(await readPages(client, { status, most: share })).tasks);
  }
  return { tasks, total: sumOf(counts) };
}

/** As many as are wanted, over as many answers as that takes. One submitted meanwhile moves the others on by one. */
async function readPages(
  client: Client,
  { status, most }: { readonly status: string | undefined; readonly most: number },
): Promise<Omit<Tasks, 'counts' | 'unmet'>> {
  const found = new Map<string, Tasks['tasks'][number]>();
  for (let offset: number | undefined = 0, total = 0; ; ) {
    const page: ToolAnswer<'task_status'> = await readTool(client, 'task_status', {
      limit: Math.min(MOST_AT_ONCE, most - found.size),
      offset,
      ...(status === undefined ? {} : { status }),
    });
    for (const task of page.tasks) found.set(task.taskId, task);
    ({ total, nextOffset: offset } = page);
    if (offset === undefined || found.size >= most) return { tasks: [...found.values()], total };
  }
}

/** What one call gives at most. */
const MOST_AT_ONCE = 200;

/** A task's payload and result have any shape, so it is shown as JSON. */
function showOne(taskId: string, options: Parameters<Command['run']>[1]): Promise<number> {
  return showBus<object>(
    {
      async read(client) {
        return readWhole(client, await wholeId(client, taskId));
      },
      lines: () => [],
    },
    { ...options, json: true },
  );
}

/** With all of its notes, over as many answers as that takes. */
async function readWhole(client: Client, taskId: string): Promise<object> {
  type Detail = NonNullable<ToolAnswer<'task_status'>['detail']>;
  const notes: NonNullable<Detail['notes']> = [];
  for (let offset = 0; ; ) {
    const page: ToolAnswer<'task_status'> = await readTool(client, 'task_status', {
      ...{ taskId, limit: MOST_AT_ONCE, offset },
    });
    const { whole } = page.detail ?? {};
    const detail: Detail = whole === undefined ? page.detail : JSON.parse(await readText(client, whole));
    const { notesNextOffset, ...told } = detail ?? {};
    notes.unshift(...(told.notes ?? []));
    if (notesNextOffset === undefined) return { ...page.tasks[0], ...told, notes };
    offset = notesNextOffset;
  }
}

async function readText(client: Client, uri: string): Promise<string> {
  const read = await client.request('resources/read', { uri }, { signal: endsWithin(ANSWER_MS) });
  const { contents } = read as { readonly contents: readonly { readonly text: string }[] }; // of our own server
  return contents[0]?.text ?? '{}';
}

/** Of a beginning of an id, the id of the task that it means. */
async function wholeId(client: Client, written: string): Promise<string> {
  if (/^task_[0-9a-f]{16}$/.test(written)) return written;
  const { tasks } = await readPages(client, { status: undefined, most: Number.POSITIVE_INFINITY });
  return idByPrefix(
    written,
    tasks.map(({ taskId }) => taskId),
    ID_SORTS.task,
  );
}

const sumOf = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

function describe({ counts, unmet, total, tasks }: Tasks, status: string | undefined): string[] {
  if (sumOf(counts) === 0) {
    return [
      'No tasks yet. An agent submits one with the tool submit_task, or you do:',
      '  nexus call submit_task title=\'Review the README\' payload=\'{"file": "README.md"}\'',
    ];
  }
  const summary = BY_CONCERN.filter((name) => (counts[name] ?? 0) > 0)
    .map((name) => `${counts[name]} ${name}`)
    .join(', ');
  const head = [summary, ...unmetLines(unmet)];
  if (tasks.length === 0) return [...head, '', `No task is ${status}.`];
  const rows = tasks.map((task) => [
    shownId(task.taskId),
    task.status,
    String(task.priority),
    `${task.attempts}/${task.maxAttempts}`,
    age(task.createdAt),
    task.worker ?? '-',
    task.title,
  ]);
  return [
    ...head,
    '',
    ...table(['TASK', 'STATUS', 'PRIO', 'TRIES', 'AGE', 'WORKER', 'TITLE'], rows),
    ...(total > tasks.length ? [`and ${total - tasks.length} more; --limit shows more`] : []),
  ];
}
