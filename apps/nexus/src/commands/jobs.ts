import type { ToolCallResult } from '@nexus/plugin-sdk';
import { ID_SORTS, startOfId } from '@nexus/primitives';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { askShownRun, type ShownRun } from '../runs/ask-runs.ts';
import { keepTold } from '../runs/keep-told.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { shownRunLines } from '../terminal/run-picture.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { answerOfJob } from './answer-of-job.ts';
import { showBus } from './bus-view.ts';
import {
  type Command,
  configOption,
  faultOfForeign,
  jsonOption,
  limit,
  limitOption,
  type Options,
  text,
} from './command.ts';
import { printToolAnswer } from './print-tool-answer.ts';

const STATUSES = Object.keys({
  queued: true,
  working: true,
  input_required: true,
  completed: true,
  failed: true,
  cancelled: true,
} satisfies Record<ToolAnswer<'list_jobs'>['jobs'][number]['status'], true>);

export const jobs: Command = {
  usage: 'jobs [jobId]',
  summary: 'show the jobs (calls of long tools that go on without their caller), or one job',
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
  examples: ['jobs', 'jobs --status working', 'jobs job_0f12ab34', 'jobs --json'],
  async run([jobId], options) {
    if (jobId !== undefined) {
      const words = { readBy: 'nexus jobs', asked: 'nexus jobs <id>' };
      const fault = faultOfForeign(['status', 'limit'], words, options);
      return fault === undefined ? showOne(String(jobId), options) : fail(fault);
    }
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

/** With what its call answered, whole, as who had waited for it would have read it. */
async function showOne(written: string, options: Options): Promise<number> {
  const { job: sort } = ID_SORTS;
  const read = startOfId(written, sort);
  if ('fault' in read) return fail(read.fault);
  const config = text(options, 'config');
  const job = await askShownRun(`${sort.begins}${read.start}`, config);
  const result = job.status === 'completed' ? await answerOf(job.id, options) : undefined;
  if (options.json) printJson({ ...job, ...(result === undefined ? {} : { result }) });
  else printJob(job, result);
  await keepTold([job, ...(job.begunRuns ?? [])], config);
  return 0;
}

function printJob(job: ShownRun, result: ToolCallResult | undefined): void {
  // What it was given and came to is cut short there, and stands below whole.
  const steps = result === undefined ? job.steps : job.steps.map(({ output: _, ...step }) => step);
  print(shownRunLines({ ...job, steps }));
  if (result !== undefined) {
    print(['']);
    printToolAnswer(result);
  }
}

async function answerOf(id: string, options: Options): Promise<ToolCallResult> {
  await using connection = await connectToNexus({ config: text(options, 'config') });
  return await answerOfJob(connection, id);
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
