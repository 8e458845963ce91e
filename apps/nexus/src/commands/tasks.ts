import type { Client } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { idByPrefix, shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { showBus } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption, text } from './command.ts';

interface Tasks extends Pick<ToolAnswer<'task_status'>, 'tasks' | 'total'> {
  readonly counts: ToolAnswer<'bus_status'>['tasks'];
}

export const tasks: Command = {
  usage: 'tasks [taskId]',
  summary: 'show the tasks of the bus, newest first, on a terminal until Ctrl-C; or one task whole',
  options: [
    {
      flags: '--status <status>',
      description: 'only queued, blocked, leased, expired, done, dead or cancelled ones',
    },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['tasks', 'tasks --status dead', 'tasks --json --limit 200', 'tasks task_ddba40c2'],
  async run([taskId], options) {
    if (taskId !== undefined) return showOne(String(taskId), options);
    const status = text(options, 'status');
    return showBus<Tasks>(
      {
        async read(client) {
          const { tasks: counts } = await readTool(client, 'bus_status', { limit: 1 });
          // A program gets all rows, unless it said how many.
          const most =
            options.json && options.limit === undefined ? Number.POSITIVE_INFINITY : limit(options);
          return { counts, ...(await readPages(client, { status, most })) };
        },
        lines: (answer) => describe(answer, status),
      },
      options,
    );
  },
};

/** As many as are wanted, over as many answers as that takes. One submitted meanwhile moves the others on by one. */
async function readPages(
  client: Client,
  { status, most }: { readonly status: string | undefined; readonly most: number },
): Promise<Omit<Tasks, 'counts'>> {
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
        const { tasks, detail } = await readTool(client, 'task_status', {
          taskId: await wholeId(client, taskId),
        });
        return { ...tasks[0], ...detail };
      },
      lines: () => [],
    },
    { ...options, json: true },
  );
}

/** Of a beginning of an id, the id of the task that it means. */
async function wholeId(client: Client, written: string): Promise<string> {
  if (/^task_[0-9a-f]{16}$/.test(written)) return written;
  const { tasks } = await readPages(client, { status: undefined, most: Number.POSITIVE_INFINITY });
  const ids = tasks.map(({ taskId }) => taskId);
  // What none begins with is refused by the tool, in its words.
  return idByPrefix(written, ids) ?? written;
}

function describe({ counts, total, tasks }: Tasks, status: string | undefined): string[] {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) {
    return [
      'No tasks yet. An agent submits one with the tool submit_task, or you do:',
      '  nexus call submit_task title=\'Review the README\' payload=\'{"file": "README.md"}\'',
    ];
  }
  const summary = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
  if (tasks.length === 0) return [summary, '', `No task is ${status}.`];
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
    summary,
    '',
    ...table(['TASK', 'STATUS', 'PRIORITY', 'ATTEMPTS', 'AGE', 'WORKER', 'TITLE'], rows),
    ...(total > tasks.length ? [`and ${total - tasks.length} more; --limit shows more`] : []),
  ];
}
