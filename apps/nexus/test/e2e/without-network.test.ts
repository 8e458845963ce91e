import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fakeServer } from '@nexus/testing';
import { execa } from 'execa';
import { expect } from 'vitest';
import { testDir } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import type { HostSession } from '../harness/session.ts';
import { verifiesApp } from '../harness/verifies.ts';

type Arguments = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: what tools answer, read where it is known
type Answer = (name: string, args: Arguments) => Promise<any>;

const CUT_OFF = ['--import', pathToFileURL(join(testDir, 'fixtures/no-network.mjs')).href];
const PLAIN = { title: 'Build', payload: null };

interface Listed {
  readonly name: string;
  readonly annotations: { readonly openWorldHint: boolean };
}

/** The lease of a task that nobody else has. */
async function lease(answer: Answer): Promise<{ taskId: string; leaseId: string }> {
  await answer('submit_task', PLAIN);
  const { task } = await answer('poll_task', { worker: 'ann' });
  return task;
}

const leaseOnly = async (answer: Answer) => ({ leaseId: (await lease(answer)).leaseId });
const job = async (answer: Answer) => {
  const { jobId } = await answer('run_workflow', {
    template: 'code-review',
    dryRun: true,
    dispatch: 'async',
  });
  return { jobId };
};

/** A good call of each tool that says it reaches nothing outside. */
const CALLS: Readonly<Record<string, Arguments | ((answer: Answer) => Promise<Arguments>)>> = {
  ack_task: leaseOnly,
  bus_status: {},
  cancel_job: job,
  close_toolbox: { toolbox: 'dev' },
  compare_data_feeds: { feedAPath: 'a.csv', feedBPath: 'b.json', keyPath: 'id' },
  complete_task: async (answer) => ({ ...(await leaseOnly(answer)), result: null }),
  create_expert: { role: 'code' },
  delegate_to_model: { task: 'Prove it.' },
  extract_symbols: { filePath: 'src/a.ts' },
  fail_task: async (answer) => ({ ...(await leaseOnly(answer)), reason: 'no compiler' }),
  fetch_inbox: { worker: 'ann' },
  get_job_result: job,
  git_history: { action: 'log' },
  heartbeat_task: leaseOnly,
  list_experts: {},
  list_files: {},
  list_jobs: {},
  list_toolboxes: {},
  list_workflows: {},
  memory_forget: { backend: 'session', key: 'nothing' },
  memory_query: { query: 'roof' },
  memory_stats: {},
  memory_write: { backend: 'session', key: 'roof', value: 'green' },
  poll_task: { worker: 'ann' },
  read_file: { path: 'src/a.ts' },
  read_result: { uri: 'nexus://config' },
  register_worker: { name: 'ann' },
  release_files: { worker: 'ann' },
  research_analyze: { focus: 'gaps' },
  research_catalog_review: { action: 'list' },
  research_query: { action: 'stats' },
  research_synthesize: {},
  reserve_files: { worker: 'ann', globs: ['src/**'] },
  reset_worker: { worker: 'ann' },
  retry_task: async (answer) => {
    const { taskId, leaseId } = await lease(answer);
    await answer('fail_task', { leaseId, reason: 'hopeless', retry: false });
    return { taskId };
  },
  query_task_state: async (answer) => ({ taskId: (await lease(answer)).taskId }),
  search_codebase: { query: 'greet' },
  search_usages: { symbol: 'greet' },
  send_message: { from: 'ann', to: '*', body: 'hello' },
  submit_task: PLAIN,
  task_status: async (answer) => ({ taskId: (await lease(answer)).taskId }),
  update_task: async (answer) => ({ taskId: (await lease(answer)).taskId, note: 'see the log' }),
  vendor_publishing_audit: { vendor: 'nodejs' },
  verify_audit_chain: {},
  weather_report: {},
};

/** A tool that tells of a vote, which only models can have brought about: it looks, and says that there is none. */
const READS_A_TRACE = 'query_trace';
const TELLS_OF_A_VOTE = 'tell_outcome';

async function callsOf(session: HostSession) {
  return async (name: string, args: Arguments) => {
    const { result, error } = await session.call(name, args);
    expect({
      name,
      error,
      isError: result?.isError ?? false,
      text: result?.isError ? result.content : '',
    }).toEqual({
      name,
      error: undefined,
      isError: false,
      text: '',
    });
    return result.structuredContent;
  };
}

verifiesApp(
  'hints.closed-world',
  'every closed-world tool works where there is no network, and tries none',
  async () => {
    await using project = await makeProject({
      files: {
        'src/a.ts': 'export function greet() {}\n',
        'a.csv': 'id,v\n1,2\n',
        'b.json': '[{"id":1,"v":2}]',
      },
      config: { toolboxes: { dev: { description: 'Dev', mcpServers: { files: fakeServer() } } } },
      // A model that is never asked, so that the tools that need one are listed.
      env: { ANTHROPIC_API_KEY: 'sk-ant-none' },
    });
    const git = (...args: string[]) =>
      execa('git', ['-c', 'user.name=U', '-c', 'user.email=u@localhost', ...args], { cwd: project.root });
    await git('init', '--quiet');
    await git('add', '--all');
    await git('commit', '--quiet', '--message=Begin');
    const log = project.path('../connections.log');
    await using server = startServer(project, { nodeArgs: CUT_OFF, env: { NO_NETWORK_LOG: log } });
    const { session } = server;
    await session.initialize();
    const { result } = await session.ask('tools/list', {});
    const closed: string[] = result.tools
      .filter(({ annotations }: Listed) => annotations.openWorldHint === false)
      .map(({ name }: Listed) => name)
      .sort();
    expect(closed).toEqual([...Object.keys(CALLS), TELLS_OF_A_VOTE, READS_A_TRACE].sort());
    const answer = await callsOf(session);
    for (const name of ['ann', 'bob']) await answer('register_worker', { name });
    for (const name of Object.keys(CALLS)) {
      const call = CALLS[name] ?? {};
      await answer(name, typeof call === 'function' ? await call(answer) : call);
    }
    // Nothing was run, so that there is no trace.
    const traced = await session.call(READS_A_TRACE, { runId: 'run_none' });
    expect(traced.result._meta['nexus/error'].code).toBe('NEXUS_NOT_FOUND');
    const vote = { recordId: 'none', outcome: 'right', source: 'The release.' };
    const told = await session.call(TELLS_OF_A_VOTE, vote);
    expect(told.result._meta['nexus/error'].code).toBe('NEXUS_NOT_FOUND');
    expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe('');
    // It is cut off indeed: a tool that does reach out can't.
    const out = await session.call('repo_analyze', { repoUrl: 'acme/shop' });
    expect(out.result.isError).toBe(true);
    expect(readFileSync(log, 'utf8')).toMatch(/:443\n/);
  },
);
