import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { table } from '../terminal/table.ts';
import { showBus } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption, text } from './command.ts';

export const jobs: Command = {
  usage: 'jobs',
  summary: 'show the jobs: calls of long tools that are on record, newest first',
  options: [
    {
      flags: '--status <status>',
      description: 'only queued, working, input_required, completed, failed or cancelled ones',
    },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['jobs', 'jobs --status working', 'jobs --json'],
  run(_args, options) {
    const status = text(options, 'status');
    return showBus(
      {
        read: (client) =>
          readTool(client, 'list_jobs', {
            limit: limit(options),
            ...(status === undefined ? {} : { status }),
          }),
        lines: describe,
      },
      options,
    );
  },
};

function describe({ jobs, total }: ToolAnswer<'list_jobs'>): string[] {
  if (jobs.length === 0) return ['No jobs. A call of a long tool with dispatch=async starts one.'];
  const rows = jobs.map((job) => [
    job.jobId,
    job.status,
    age(job.createdAt),
    job.tool,
    job.statusMessage?.split('\n', 1)[0]?.slice(0, 60) ?? '',
  ]);
  return [
    ...table(['JOB', 'STATUS', 'AGE', 'TOOL', 'MESSAGE'], rows),
    ...(total > jobs.length ? [`and ${total - jobs.length} more; --limit shows more`] : []),
  ];
}
