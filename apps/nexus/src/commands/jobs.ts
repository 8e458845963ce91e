import { ANSWER_MS, endsWithin } from '@nexus/core';
import { asToolCallResult, type ToolCallResult } from '@nexus/plugin-sdk';
import { ID_SORTS, startOfId } from '@nexus/primitives';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { askRun } from '../runs/ask-runs.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { runLines } from '../terminal/run-picture.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { showBus } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';
import { printToolAnswer } from './print-tool-answer.ts';

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

/** With what its call answered, whole, as who had waited for it would have read it. */
async function showOne(written: string, options: Options): Promise<number> {
  const { job: sort } = ID_SORTS;
  const read = startOfId(written, sort);
  if ('fault' in read) return fail(read.fault);
  const job = await askRun(`${sort.begins}${read.start}`, text(options, 'config'));
  const result = job.status === 'completed' ? await answerOf(job.id, options) : undefined;
  if (options.json) return printJson({ ...job, ...(result === undefined ? {} : { result }) });
  // What it was given and came to is cut short there, and stands below whole.
  const steps = result === undefined ? job.steps : job.steps.map(({ output: _, ...step }) => step);
  print(runLines({ ...job, steps }));
  if (result !== undefined) {
    print(['']);
    printToolAnswer(result);
  }
  return 0;
}

/** What a job came to is what its only step did. */
async function answerOf(id: string, options: Options): Promise<ToolCallResult> {
  await using connection = await connectToNexus({ config: text(options, 'config') });
  const { contents } = (await connection.request(
    'resources/read',
    { uri: `nexus://runs/${id}/steps/call` },
    { signal: endsWithin(ANSWER_MS) },
  )) as { readonly contents: readonly { readonly text: string }[] }; // of our own server
  return asToolCallResult(JSON.parse(contents[0]?.text ?? '{}').result);
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
