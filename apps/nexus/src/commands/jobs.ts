import { ID_SORTS, startOfId } from '@nexus/primitives';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { askRun } from '../runs/ask-runs.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { runLines } from '../terminal/run-picture.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { showBus } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';

export const jobs: Command = {
  usage: 'jobs [jobId]',
  summary: 'show the jobs (calls of long tools that go on without their caller), or one job',
  options: [
    {
      flags: '--status <status>',
      description: 'only queued, working, input_required, completed, failed or cancelled ones',
    },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['jobs', 'jobs --status working', 'jobs job_0f12ab34', 'jobs --json'],
  async run([jobId], options) {
    if (jobId !== undefined) return showOne(String(jobId), options);
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

/** What a job came to stands in the record of its run. */
async function showOne(written: string, options: Options): Promise<number> {
  const { job: sort } = ID_SORTS;
  const read = startOfId(written, sort);
  if ('fault' in read) return fail(read.fault);
  const job = await askRun(`${sort.begins}${read.start}`, text(options, 'config'));
  return options.json ? printJson(job) : print(runLines(job));
}

function describe({ jobs, total }: ToolAnswer<'list_jobs'>): string[] {
  if (jobs.length === 0) return ['No jobs. A call of a long tool with dispatch=async starts one.'];
  const rows = jobs.map((job) => [
    shownId(job.jobId),
    job.status,
    age(job.createdAt),
    job.tool,
    // What one that is done was last at tells nothing.
    job.status === 'completed' ? '' : (job.statusMessage?.split('\n', 1)[0] ?? ''),
  ]);
  return [
    ...table(['JOB', 'STATUS', 'AGE', 'TOOL', 'MESSAGE'], rows),
    ...(total > jobs.length ? [`and ${total - jobs.length} more; --limit shows more`] : []),
  ];
}
