import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { modelEndpoint } from '@nexus/testing';
import { execa } from 'execa';
import { missing } from './missing.ts';

const BALLOT = JSON.stringify({ reasoning: 'It is small.', decision: 'approve', confidence: 0.9 });

/** What a model is asked that answers only once the newer version runs. */
const HELD = 'HOLD-THIS';

/** What the older version leaves, by commands that both have. */
const WRITES: readonly (readonly string[])[] = [
  ['call', 'memory_write', '{"backend":"agentic","key":"decision","value":"The queue lives in SQLite."}'],
  ['call', 'register_worker', '{"name":"ann","capabilities":["review"]}'],
  ['call', 'register_worker', '{"name":"bob"}'],
  ['call', 'submit_task', '{"title":"Review the queue","payload":{"file":"a.ts"},"capabilities":["review"]}'],
  ['call', 'submit_task', '{"title":"Write it down","payload":{},"timeoutMs":3600000}'],
  ['call', 'poll_task', '{"worker":"bob"}'],
  ['call', 'send_message', '{"from":"bob","to":"ann","body":"Look at a.ts."}'],
  ['call', 'create_expert', '{"role":"security","instructions":"Look at tokens first."}'],
  ['run', 'consensus_vote', 'proposal=Let it live in SQLite.', 'quickMode:=true'],
  ['run', 'standards-review', 'directory=src'],
  ['chat', 'Where does the queue live?'],
  ['toolbox', 'test'],
  [
    'call',
    'consensus_vote',
    `{"proposal":"${HELD}: let it live in SQLite.","quickMode":true,"dispatch":"async"}`,
  ],
];

/** What people and agents read; asked of both versions. */
const READS: readonly (readonly string[])[] = [
  ['call', 'memory_query', '{"query":"queue"}'],
  ['call', 'task_status', '{"limit":50}'],
  ['call', 'list_experts', '{"format":"full"}'],
  ['call', 'list_jobs', '{}'],
  ['tasks'],
  ['workers'],
  ['call', 'bus_status', '{}'],
  ['runs'],
  ['votes'],
  ['chat', '--list'],
  ['toolbox', 'list'],
];

const HELD_MS = 600_000;

/** A command that does not end has failed, whatever it waits for. */
const COMMAND_MS = 180_000;

export interface UpgradeOf {
  /** Commands of both versions. */
  readonly older: string;
  readonly newer: string;
  /** Undefined for a file of its own. */
  readonly databaseUrl: string | undefined;
  readonly say: (line: string) => void;
}

/**
 * Leaves state by the older version, of which a server goes on, and reads it by the newer one; then ends all, goes on
 * with what was open, and uninstalls. @returns what did not hold
 */
export async function upgrade({ older, newer, databaseUrl, say }: UpgradeOf): Promise<string[]> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'nexus-upgrade-')));
  const runtimeDir = await mkdtemp(join('/tmp', 'nu-'));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using model = await modelEndpoint(({ body }) => ({
    text: BALLOT,
    ...(JSON.stringify(body).includes(HELD) ? { until: released } : {}),
  }));
  const [root, home] = [join(base, 'project'), join(base, 'home')];
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(home);
  await writeFile(join(root, 'src/a.ts'), 'export const queue = [];\n');
  const server = { command: process.execPath, args: [join(import.meta.dirname, 'echo-server.mjs')] };
  await writeFile(
    join(root, 'nexus.config.json'),
    JSON.stringify({
      toolboxes: { box: { mcpServers: { echo: server } } },
      // What is held stays at work until both versions have read all, on a busy machine too.
      consensus: { ballotTimeoutMs: HELD_MS },
    }),
  );
  const env = {
    ...{ PATH: '/usr/bin:/bin', HOME: home, NEXUS_RUNTIME_DIR: runtimeDir, NEXUS_TRUST: 'all' },
    ...{ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: model.url },
    ...(databaseUrl === undefined ? {} : { NEXUS_DATABASE_URL: databaseUrl, NEXUS_PROJECT_ID: 'upgraded' }),
  };
  const settings = { cwd: root, env, extendEnv: false, reject: false } as const;
  await execa('git', ['init', '--quiet'], settings);
  const faults: string[] = [];
  const holds = (holding: boolean, what: string) => {
    say(`${holding ? 'ok  ' : 'FAIL'}  ${what}`);
    if (!holding) faults.push(what);
  };
  const nexus = (bin: string) => async (args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [bin, ...args], {
      ...settings,
      stdin: 'ignore',
      timeout: COMMAND_MS,
    });
    return { exitCode, stdout, stderr };
  };
  const [before, after] = [nexus(older), nexus(newer)];
  const read = async (run: typeof before, args: readonly string[]) => {
    const { stdout, stderr } = await run([...args, '--json']);
    try {
      const answer = JSON.parse(stdout);
      return answer.structuredContent ?? answer;
    } catch {
      return { nothing: `${stdout}${stderr}` };
    }
  };

  const living = execa(process.execPath, [older, 'serve'], { ...settings, stdin: 'ignore' });
  try {
    await until(async () => (await before(['status'])).exitCode === 0);
    for (const args of WRITES) {
      const { exitCode, stderr } = await before(args);
      // A run that waits for an answer ends with 75.
      if (exitCode !== 0 && exitCode !== 75)
        say(`      (the older version can't ${args.slice(0, 2).join(' ')}: ${stderr.split('\n')[0]})`);
    }
    const left: Awaited<ReturnType<typeof read>>[] = [];
    for (const args of READS) left.push(await read(before, args));
    const jobs = left[READS.findIndex(([, name]) => name === 'list_jobs')]?.jobs ?? [];
    const atWork = jobs.find((job: { status: string }) => job.status === 'working');
    holds(atWork !== undefined, 'the older version has a job at work');

    const compare = async (when: string) => {
      for (const [at, args] of READS.entries()) {
        const gone = missing(left[at], await read(after, args));
        holds(
          gone.length === 0,
          `${when}: ${args.join(' ')}${gone.length === 0 ? '' : `: ${gone.slice(0, 3).join('; ')}`}`,
        );
      }
    };
    const seen = await after(['status']);
    const isNamed = seen.stderr.includes('another build');
    // Before builds had names, a server left no word of whose it is: it is ended by its own command.
    say(`      (status ${isNamed ? 'tells' : 'cannot tell'} of the server of the older build)`);
    await compare('beside the older server');
    holds(
      (await before(['call', 'memory_query', '{"query":"queue"}'])).exitCode === 0,
      'the older server goes on beside it',
    );
    await (isNamed ? after : before)(['stop']);
    holds(await ends(living), 'stop ends the server of the older build');
    await compare('after it');
    release();
    const next = execa(process.execPath, [newer, 'serve'], { ...settings, stdin: 'ignore' });
    const { status, error } = await read(after, [
      'call',
      'get_job_result',
      `{"jobId":"${atWork?.jobId}","waitMs":50000}`,
    ]);
    // Where the steps of that kind of work are others now, that is said, with what to do; what was done stays on record.
    const isTold = error?.code === 'NEXUS_RUN_CHANGED';
    const how = isTold ? 'is told that its steps are others now' : 'goes on to its end';
    holds(status === 'completed' || isTold, `a job that was at work ${how}: ${status} ${error?.code ?? ''}`);
    await after(['stop']);
    await next;
    const doctor = await after(['doctor']);
    holds(doctor.exitCode === 0, `doctor finds no fault${doctor.exitCode === 0 ? '' : `: ${doctor.stdout}`}`);
    const gone = await after(['uninstall', '--all', '--yes']);
    holds(
      gone.exitCode === 0,
      `uninstall ends well${gone.exitCode === 0 ? '' : `: ${gone.stdout}${gone.stderr}`}`,
    );
    const rest = [
      ...(await filesIn(home)),
      ...(await filesIn(runtimeDir)),
      ...(await ofNexus(join(root, '.git'))),
    ];
    holds(rest.length === 0, `nothing is left in the home${rest.length === 0 ? '' : `: ${rest.join(', ')}`}`);
    holds(existsSync(join(root, 'nexus.config.json')), 'what was written by hand stays');
  } finally {
    release();
    living.kill('SIGKILL');
    await living;
    for (const folder of [base, runtimeDir])
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return faults;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The older server does not serve.');
}

async function ends(process: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, 20_000, false);
  });
  return Promise.race([process.then(() => true), late]).finally(() => clearTimeout(timer));
}

async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

async function ofNexus(gitDir: string): Promise<string[]> {
  return (await filesIn(gitDir)).filter((file) => /nexus/.test(file.slice(gitDir.length)));
}
