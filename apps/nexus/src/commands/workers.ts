import { visibleLine } from '@nexus/untrusted/shown';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { showBus, unmetLines } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption } from './command.ts';

type Workers = Pick<ToolAnswer<'bus_status'>, 'workers' | 'reservations' | 'unmet'>;

export const workers: Command = {
  usage: 'workers',
  summary: 'show the workers of the task bus, those with unread messages first',
  options: [jsonOption, limitOption, configOption],
  examples: ['workers', 'workers --json', 'workers --limit 100 | grep reviewer'],
  run: async (_args, options) =>
    showBus<Workers>(
      {
        async read(client) {
          const { workers, reservations, unmet } = await readTool(client, 'bus_status', {
            limit: limit(options),
          });
          return { workers, reservations, unmet };
        },
        lines: describe,
      },
      options,
    ),
};

function describe({ workers, reservations, unmet }: Workers): string[] {
  if (workers.total === 0) {
    return [
      'No worker has registered yet. An agent registers itself with the tool register_worker, or you do:',
      '  nexus call register_worker name=reviewer capabilities=\'["rust"]\'',
    ];
  }
  const concern = ({ unread, leases }: Workers['workers']['items'][number]) =>
    (unread > 0 ? 2 : 0) + (leases.length > 0 ? 1 : 0);
  // The order of those of one concern stays: seen last first.
  const shown = [...workers.items].sort((a, b) => concern(b) - concern(a));
  const rows = shown.map((worker) => [
    worker.name,
    String(worker.unread),
    worker.leases.map(({ taskId }) => shownId(taskId)).join(' ') || '-',
    `${age(worker.lastSeenAt)} ago`,
    worker.capabilities.join(' ') || '-',
  ]);
  return [
    ...unmetLines(unmet),
    ...table(['WORKER', 'UNREAD', 'TASKS', 'SEEN', 'CAPABILITIES'], rows),
    ...more(workers.total - workers.items.length),
    ...(reservations.total === 0 ? [] : ['', 'Reserved files:']),
    ...reservations.items.map(({ worker, glob, exclusive }) =>
      visibleLine(`  ${glob}, by ${worker}${exclusive ? '' : ', shared'}`),
    ),
  ];
}

function more(count: number): string[] {
  return count > 0 ? [`and ${count} more; --limit shows more`] : [];
}
