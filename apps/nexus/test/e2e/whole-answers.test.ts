import { execFileSync } from 'node:child_process';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { OTHER_WAYS } from '../harness/every-way.ts';
import { NO_MODELS } from '../harness/expert-team.ts';
import type { HostSession } from '../harness/session.ts';
import { shareProject } from '../harness/shared-project.ts';
import { unsoundIn } from '../harness/sound-answer.ts';
import { answeringSources, sourcesSection } from '../harness/source-answers.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

type Args = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** How much there is of everything, and how long each of it is. */
interface Size {
  readonly name: string;
  readonly count: number;
  readonly chars: number;
  readonly maxChars: number;
  /** Asked in every check; the others only in the slow step. */
  readonly inEveryCheck?: true;
}

const SIZES: readonly Size[] = [
  { name: 'nearly nothing', count: 2, chars: 20, maxChars: 50_000, inEveryCheck: true },
  { name: 'many short ones', count: 230, chars: 40, maxChars: 50_000 },
  { name: 'some long ones', count: 40, chars: 9_000, maxChars: 50_000 },
  { name: 'a few huge ones', count: 3, chars: 600_000, maxChars: 50_000, inEveryCheck: true },
  { name: 'long ones in a host that shows little', count: 40, chars: 9_000, maxChars: 10_000 },
];

const AT_ONCE = 50;
const words = (chars: number) => 'so "it" goes \\ on, '.repeat(Math.ceil(chars / 18)).slice(0, chars);

/** What every tool is asked, each with what the data makes of it. */
function asks({
  taskId,
  jobId,
  runId,
  leaseId,
}: Readonly<Record<string, string>>): readonly (readonly [string, Args])[] {
  return [
    ['ack_task', { leaseId }],
    [
      'bundle',
      {
        ops: [
          { tool: 'list_files' },
          { tool: 'task_status', limit: 200 },
          { tool: 'read_file', path: 'long.ts' },
        ],
      },
    ],
    ['bus_status', { limit: 200 }],
    ['cancel_job', { jobId }],
    ['close_toolbox', { toolbox: 'none' }],
    ['compare_data_feeds', { feedAPath: 'a.json', feedBPath: 'b.json', keyPath: 'id' }],
    ['complete_task', { leaseId: 'x'.repeat(60), result: words(20_000) }],
    ['consensus_vote', { proposal: words(3_000) }],
    ['create_expert', { role: 'code', instructions: words(900) }],
    ['delegate_to_model', { task: words(20_000) }],
    ['execute_expert', { expertId: 'none', task: words(20_000) }],
    ['execute_spec', { spec: words(20_000) }],
    ['extract_symbols', { glob: 'src/**', limit: 2_000 }],
    ['fail_task', { leaseId: 'x'.repeat(60), reason: words(900) }],
    ['fetch_inbox', { worker: 'ann', view: 'all', limit: 100 }],
    ['find_tools', { queries: ['write file', 'search code'], limit: 20 }],
    ['get_job_result', { jobId }],
    ['git_history', { action: 'show' }],
    ['heartbeat_task', { leaseId, progress: words(900) }],
    ['improvement_review', {}],
    ['issue_triage', { issueUrl: 'https://github.com/nodejs/undici/issues/1' }],
    ['list_experts', {}],
    ['list_files', { limit: 2_000 }],
    ['list_jobs', {}],
    ['list_toolboxes', {}],
    ['list_workflows', {}],
    ['memory_forget', { backend: 'belief', key: 'none' }],
    ['memory_query', { query: '*', limit: 100 }],
    ['memory_stats', {}],
    ['memory_write', { backend: 'belief', key: 'k', value: words(5_000) }],
    ['open_toolbox', { toolbox: 'box' }],
    ['orchestrate', { task: words(20_000) }],
    ['poll_task', { worker: 'ben' }],
    ['pr_review', { prTitle: 'x', prDiff: words(20_000) }],
    ['query_task_state', { taskId }],
    ['query_trace', { runId, limit: 1_000 }],
    ['read_file', { path: 'long.ts' }],
    ['read_result', { uri: 'nexus://config' }],
    ['register_worker', { name: 'cid' }],
    ['registry_import', { provider: 'openai', modelId: 'none' }],
    ['release_files', { worker: 'ann' }],
    ['repo_analyze', { repoUrl: 'https://github.com/nodejs/undici' }],
    ['repo_security_plan', { repoUrl: 'https://github.com/nodejs/undici' }],
    ['research_add', { arxivId: '2101.00001' }],
    ['research_add_source', { url: 'http://127.0.0.1:1/none', name: 'none', type: 'article' }],
    ['research_analyze', { focus: 'gaps' }],
    ['research_catalog_review', { action: 'list', limit: 200 }],
    ['research_discover', { topic: 'green roofs' }],
    ['research_query', { action: 'search', limit: 200 }],
    ['research_synthesize', {}],
    ['reserve_files', { worker: 'ann', globs: ['src/**'], exclusive: true, ttlMs: 60_000 }],
    ['reset_worker', { worker: 'nobody' }],
    ['resume_run', { runId }],
    ['retry_task', { taskId }],
    ['run_dev_pipeline', { task: words(20_000) }],
    ['run_graph_workflow', { workflow: 'list' }],
    ['run_pipeline', { task: words(20_000) }],
    ['run_workflow', { template: '.nexus/workflows/lists.yaml' }],
    ['search_codebase', { query: 'goes', limit: 200, context: 20 }],
    ['search_usages', { symbol: 'shared', limit: 500 }],
    ['send_message', { from: 'ann', to: 'ben', body: words(5_000) }],
    ['submit_task', { title: 'one more', payload: words(5_000), label: 'more' }],
    ['supply_chain_tradeoff_panel', { proposal: words(3_000) }],
    ['survey_oss_landscape', { query: 'green roofs' }],
    ['task_status', { limit: 200 }],
    ['tell_outcome', { recordId: 'none', outcome: 'good' }],
    ['update_task', { taskId, note: words(900) }],
    ['use_tool', { toolbox: 'box', server: 'it', tool: 'echo', arguments: { message: words(60_000) } }],
    ['vendor_publishing_audit', { vendor: 'nodejs' }],
    ['verify_audit_chain', {}],
    ['weather_report', {}],
  ];
}

/** Lists that go on: all of it comes, once each, and the total is said on each page. */
interface Walk {
  readonly tool: string;
  readonly args: Args;
  /** The list of the structure, or its part that has one, with how many there are. */
  readonly list: string | ((answer: Answer) => { readonly items: readonly Answer[]; readonly total: number });
  /** What tells one item from another. */
  key(item: Answer): unknown;
  readonly total: number;
}

function walks({ count }: Size): readonly Walk[] {
  const place = ({ file, line, column }: Answer) => JSON.stringify([file, line, column]);
  return [
    {
      tool: 'task_status',
      args: { label: 'all', limit: 200 },
      list: 'tasks',
      key: (task) => task.taskId,
      total: count,
    },
    {
      tool: 'list_files',
      args: { directory: 'src', limit: 2_000 },
      list: 'files',
      key: (file) => file,
      total: count,
    },
    {
      tool: 'extract_symbols',
      args: { glob: 'src/**', limit: 2_000 },
      list: 'symbols',
      key: place,
      total: count,
    },
    {
      tool: 'search_codebase',
      args: { query: 'shared', glob: 'src/**', limit: 200 },
      list: 'hits',
      key: place,
      total: count,
    },
    {
      tool: 'search_codebase',
      args: { query: 'own_', mode: 'symbol', limit: 200 },
      list: 'hits',
      key: place,
      total: count,
    },
    {
      tool: 'search_codebase',
      args: { query: 'src/f', mode: 'path', limit: 200 },
      list: 'hits',
      key: ({ file }) => file,
      total: count,
    },
    {
      tool: 'search_usages',
      args: { symbol: 'shared', limit: 500 },
      list: 'references',
      key: place,
      total: count,
    },
    {
      tool: 'memory_query',
      args: { query: '*', limit: 100, source: 'typed' },
      list: 'results',
      key: ({ key }) => key,
      total: count,
    },
    {
      tool: 'find_tools',
      args: { queries: ['its name'], limit: 20 },
      list: 'hits',
      key: ({ tool }) => tool,
      total: count,
    },
    {
      tool: 'bus_status',
      args: { limit: 100 },
      list: ({ workers }) => workers,
      key: ({ name }) => name,
      total: count + 2,
    },
    {
      tool: 'compare_data_feeds',
      args: { feedAPath: 'a.json', feedBPath: 'b.json', keyPath: 'id', limit: 100 },
      list: ({ changed: { shown, count } }) => ({ items: shown, total: count }),
      key: ({ key }) => key,
      total: count,
    },
  ];
}

async function fill(session: HostSession, { count, chars }: Size): Promise<Record<string, string>> {
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
  await each('send_message', (at) => ({
    from: 'ben',
    to: 'ann',
    body: `${at} ${words(Math.min(60_000, chars))}`,
  }));
  await each('memory_write', (at) => ({
    ...{ backend: 'typed', key: `key ${at}`, value: `${at} ${words(Math.min(4_000, chars))}` },
    metadata: { type: 'note' },
  }));
  await ask('submit_task', { title: 'for ben', payload: words(chars), capabilities: ['@ben'], label: 'ben' });
  const { task: leased } = await ask('poll_task', { worker: 'ben' });
  const { jobId } = await ask('run_workflow', { template: '.nexus/workflows/lists.yaml', dispatch: 'async' });
  for (;;) {
    const { result } = await session.call('get_job_result', { jobId });
    if (!/queued|working/.test(JSON.stringify(result.structuredContent?.status ?? ''))) break;
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

function filesOf({ count, chars }: Size): Record<string, string> {
  const rows = (by: number) => Array.from({ length: count }, (_, id) => ({ id, text: words(chars), by }));
  const sources = Array.from({ length: count }, (_, at) => [
    `src/f${at}.ts`,
    `import { shared } from '../lib.js';\n// ${words(Math.min(chars, 2_000))}\nexport const own_${at} = 1;\n`,
  ]);
  return {
    ...Object.fromEntries(sources),
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

for (const size of SIZES) {
  const holdsWhole = async () => {
    await using sources = await answeringSources();
    await using project = await shareProject({
      files: filesOf(size),
      config: {
        limits: { maxResultChars: size.maxChars, callsPerSecond: 10_000, burst: 10_000 },
        sources: sourcesSection(sources),
        toolboxes: {
          box: { description: 'One server.', mcpServers: { it: fakeServer({ manyTools: size.count }) } },
        },
      },
      env: NO_MODELS,
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=U', '-c', 'user.email=u@localhost', ...args], {
        cwd: project.root,
        env: project.env,
      });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'Begin');
    const { session } = await project.host();
    const made = await fill(session, size);

    for (const { tool, args, list, key, total } of walks(size)) {
      const seen: unknown[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const { result }: Answer = await session.call(tool, { ...args, offset });
        expect({ tool, args, offset, unsound: await unsoundIn(session, result, size) }).toEqual({
          ...{ tool, args, offset },
          unsound: [],
        });
        // Pages are made to fit a host that shows much; of what one that shows little cuts, the whole is read.
        const [structure = result.structuredContent] = await wholesOf(session, result, list);
        const page = partOf(structure, list);
        seen.push(...page.items.map(key));
        expect([tool, args, page.total]).toEqual([tool, args, total]);
        offset = nextOf(structure, { page, offset });
      }
      expect([tool, args, seen.length, new Set(seen).size]).toEqual([tool, args, total, total]);
    }

    const { result: listed } = await session.ask('tools/list', { _meta: { 'nexus/every': true } });
    const own = listed.tools.filter(({ _meta }: Answer) => !_meta['nexus/tool'].plugin.includes('/'));
    const asked = asks(made);
    const ways = new Set<string>();
    expect(asked.map(([tool]) => tool)).toEqual(own.map(({ name }: Answer) => name).sort());
    for (const [tool, args] of asked) {
      const { result, error } = await session.call(tool, args);
      expect([tool, error]).toEqual([tool, undefined]);
      expect([tool, await unsoundIn(session, result, size)]).toEqual([tool, []]);
      const definition = own.find(({ name }: Answer) => name === tool);
      for (const way of OTHER_WAYS) {
        const answer = await way.call(session, { definition, args }, project.root);
        if (!answer) continue;
        const where = `${tool} by ${way.name}`;
        expect([where, answer.error]).toEqual([where, undefined]);
        expect([where, await unsoundIn(session, answer.result, size)]).toEqual([where, []]);
        ways.add(way.name);
        if (way.name !== 'bundle') continue;
        // What only reads says the same wherever it is called.
        const [structure = answer.result.structuredContent] = await wholesOf(
          session,
          answer.result,
          'results',
        );
        const [op] = structure.results;
        const code = result._meta?.['nexus/error']?.code;
        expect([where, op.error?.code]).toEqual([where, code]);
      }
    }
    expect([...ways].sort()).toEqual(OTHER_WAYS.map(({ name }) => name).sort());
  };
  if (size.inEveryCheck) {
    verifiesApp(
      'answers.whole',
      `hold whole JSON and say what they leave out, whatever tool is asked: ${size.name}`,
      holdsWhole,
      600_000,
    );
  } else {
    slowlyVerifiesApp(
      'answers.whole',
      `hold whole JSON and say what they leave out, whatever tool is asked: ${size.name}`,
      holdsWhole,
      600_000,
    );
  }
}

function partOf(structure: Answer, list: Walk['list']) {
  return typeof list === 'string' ? { items: structure[list], total: structure.total } : list(structure);
}

/** What says itself where the next begins; where one offset counts for several lists, the end of this one does. */
function nextOf(
  structure: Answer,
  { page, offset }: { page: ReturnType<typeof partOf>; offset: number },
): number | undefined {
  if ('total' in structure) return structure.nextOffset;
  const next = offset + page.items.length;
  return page.items.length > 0 && next < page.total ? next : undefined;
}

/** Of what was cut, the whole structures that have such a list. */
async function wholesOf(session: HostSession, result: Answer, list: Walk['list']): Promise<Answer[]> {
  const found: Answer[] = [];
  for (const uri of result._meta?.['nexus/cut']?.whole ?? []) {
    const read = await session.ask('resources/read', { uri });
    const [{ text }] = read.result.contents;
    if (!text.startsWith('{')) continue;
    const whole = JSON.parse(text);
    if (typeof list !== 'string' || Array.isArray(whole[list])) found.push(whole);
  }
  return found;
}
