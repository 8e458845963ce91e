import type { HostSession } from '../session.ts';
import { type Size, words } from './size.ts';

type Args = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

const AT_ONCE = 50;
/** Of what takes its time to make. */
const MOST_MADE = 30;

export const madeOf = ({ count }: Size) => Math.min(count, MOST_MADE);

export async function fill(session: HostSession, size: Size): Promise<Record<string, string>> {
  const { count, chars } = size;
  const ask = async (tool: string, args: Args) => {
    const { result, error } = await session.call(tool, args);
    if (error || result.isError) throw new Error(`${tool}: ${JSON.stringify(error ?? result.content)}`);
    return result.structuredContent;
  };
  const each = async (tool: string, argsOf: (at: number) => Args) => {
    const made: Answer[] = [];
    for (let from = 0; from < count; from += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) =>
        ask(tool, argsOf(from + at)),
      );
      made.push(...(await Promise.all(some)));
    }
    return made;
  };
  await each('register_worker', (at) => ({ name: `w${at}`, capabilities: ['x'] }));
  for (const name of ['ann', 'ben']) await ask('register_worker', { name });
  const [task] = await each('submit_task', (at) => ({
    ...{ title: `task ${at} ${words(Math.min(150, chars))}`, payload: words(chars), label: 'all' },
    capabilities: ['y'],
  }));
  await each('update_task', (at) => ({
    taskId: task.taskId,
    note: `${at} ${words(Math.min(3_500, chars))}`,
  }));
  await each('send_message', (at) => ({
    from: 'ben',
    to: 'ann',
    body: `${at} ${words(Math.min(60_000, chars))}`,
  }));
  await each('memory_write', (at) => ({
    ...{ backend: 'typed', key: `key ${at}`, value: `${at} ${words(Math.min(18_000, chars))}` },
    metadata: { type: 'note' },
  }));
  await ask('submit_task', { title: 'for ben', payload: words(chars), capabilities: ['@ben'], label: 'ben' });
  const { task: leased } = await ask('poll_task', { worker: 'ben' });
  const begin = async (name: string): Promise<string> =>
    (await ask('run_workflow', { template: `.nexus/workflows/${name}.yaml`, dispatch: 'async' })).jobId;
  const jobId = await begin('lists');
  const jobs = [jobId];
  for (let at = 0; at < madeOf(size); at += 1) {
    jobs.push(await begin(`w${at}`));
  }
  for (const each of jobs) {
    for (;;) {
      const { result } = await session.call('get_job_result', { jobId: each });
      if (!/queued|working/.test(JSON.stringify(result.structuredContent?.status ?? ''))) break;
    }
  }
  return { taskId: task.taskId, jobId, runId: jobId, leaseId: leased.leaseId };
}

const WORKFLOW = `
name: lists
description: Reads much.
steps:
  - { id: files, uses: 'tool:list_files', with: { limit: 2000 } }
  - { id: tasks, uses: 'tool:task_status', with: { limit: 200 } }
  - { id: long, uses: 'tool:read_file', with: { path: long.ts } }
outputs:
  files: '\${{ steps.files.output }}'
  tasks: '\${{ steps.tasks.output }}'
  long: '\${{ steps.long.output }}'
`;

export function filesOf(size: Size): Record<string, string> {
  const { count, chars } = size;
  const rows = (by: number) => Array.from({ length: count }, (_, id) => ({ id, text: words(chars), by }));
  const sources = Array.from({ length: count }, (_, at) => [
    `src/f${at}.ts`,
    `import { shared } from '../lib.js';\n// ${words(Math.min(chars, 2_000))}\nexport const own_${at} = 1;\n`,
  ]);
  const workflows = Array.from({ length: madeOf(size) }, (_, at) => [
    `.nexus/workflows/w${at}.yaml`,
    // JSON is YAML.
    JSON.stringify({
      name: `w${at}`,
      description: `${at} ${words(Math.min(chars, 400))}`,
      steps: [{ id: 'files', uses: 'tool:list_files', with: { limit: 1 } }],
    }),
  ]);
  const known = Array.from({ length: count }, (_, at) => ({
    id: `s${at}`,
    name: `${at} ${words(Math.min(chars, 450))}`,
    url: `https://example.org/${at}`,
    type: 'blog',
  }));
  return {
    ...Object.fromEntries(sources),
    ...Object.fromEntries(workflows),
    '.nexus/workflows/faulty.yaml': JSON.stringify({
      name: 'faulty',
      description: 'Is no workflow.',
      steps: Array.from({ length: Math.min(count, 50) }, (_, at) => ({
        id: `s${at}`,
        uses: `tool:${words(Math.min(chars, 90))}`,
      })),
    }),
    '.nexus/research/sources.yaml': JSON.stringify({ sources: known }),
    'long.ts': Array.from(
      { length: count * 20 },
      (_, at) => `// ${at} ${words(Math.min(chars, 1_000))}`,
    ).join('\n'),
    'lib.ts': 'export const shared = 1;\n',
    'a.json': JSON.stringify(rows(1)),
    'b.json': JSON.stringify(rows(2)),
    '.nexus/workflows/lists.yaml': WORKFLOW,
  };
}
