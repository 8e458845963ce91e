import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { table } from '../terminal/table.ts';
import { showBus } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption, text } from './command.ts';

interface Tasks extends Omit<ToolAnswer<'task_status'>, 'detail'> {
  readonly counts: ToolAnswer<'bus_status'>['tasks'];
}

export const tasks: Command = {
  usage: 'tasks [taskId]',
  summary: 'show the tasks of the bus, newest first, on a terminal until Ctrl-C; or one task whole',
  options: [
    { flags: '--status <status>', description: 'only queued, blocked, leased, expired, done or dead ones' },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['tasks', 'tasks --status dead', 'tasks --json --limit 200', 'tasks task_ddba40c21755dfc2'],
  async run([taskId], options) {
    if (taskId !== undefined) return showOne(String(taskId), options);
    const status = text(options, 'status');
    return showBus<Tasks>(
      {
        async read(client) {
          const { tasks: counts } = await readTool(client, 'bus_status', { limit: 1 });
          const args = { limit: limit(options), ...(status === undefined ? {} : { status }) };
          return { counts, ...(await readTool(client, 'task_status', args)) };
        },
        lines: (answer) => describe(answer, status),
      },
      options,
    );
  },
};

/** A task's payload and result have any shape, so it is shown as JSON. */
function showOne(taskId: string, options: Parameters<Command['run']>[1]): Promise<number> {
  return showBus<object>(
    {
      async read(client) {
        const { tasks, detail } = await readTool(client, 'task_status', { taskId });
        return { ...tasks[0], ...detail };
      },
      lines: () => [],
    },
    { ...options, json: true },
  );
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
    task.taskId,
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
