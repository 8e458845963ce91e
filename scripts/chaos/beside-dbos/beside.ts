import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { openProxy } from '../proxy.ts';
import { type Chance, seeded } from '../seeded.ts';
import { type Line, linesOf, STEPS } from './eight-steps.ts';
import { dbosEntry } from './install-dbos.ts';

const RUNS = Array.from({ length: 7 }, (_, at) => `run-${at + 1}`);
const SUBJECTS = ['nexus', 'dbos'] as const;
type Subject = (typeof SUBJECTS)[number];

/** What is at hand to a scenario. */
interface Stage {
  readonly chance: Chance;
  readonly postgres: PostgresServer;
  /** Starts a process that starts these runs, or waits for them. */
  start(executor: string, runs: readonly string[]): Executor;
  lines(): readonly Line[];
}

interface Executor {
  readonly child: ChildProcess;
  isUp(): Promise<void>;
  end(signal: 'SIGKILL'): Promise<void>;
}

interface Scenario {
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
  /** How long the runs may take from then on. */
  readonly patienceMs?: number;
}

const begun = (stage: Stage, steps: number) =>
  until(() => stage.lines().filter(({ what }) => what === 'ended').length >= steps, 60_000);

const restart =
  (how: 'shutDown' | 'crash', downMs: number) =>
  async (stage: Stage): Promise<void> => {
    stage.start('one', RUNS);
    await begun(stage, 14);
    await stage.postgres[how]();
    await sleep(downMs);
    await stage.postgres.restart();
  };

/** One after the other, each in the middle of the work, the next process right after. */
const killed = (times: number) => async (stage: Stage) => {
  let executor = stage.start('one', RUNS);
  for (let time = 1; time <= times; time += 1) {
    const soFar = stage.lines().filter(({ what }) => what === 'ended').length;
    await executor.isUp();
    await begun(stage, Math.min(soFar + 4, RUNS.length * STEPS - 4));
    await sleep(stage.chance.between(0, 700));
    await executor.end('SIGKILL');
    executor = stage.start('one', RUNS);
  }
};

/** One after the other: the first makes the tables. */
async function startTwo(stage: Stage): Promise<Executor> {
  const first = stage.start('one', RUNS);
  await first.isUp();
  await stage.start('two', []).isUp();
  await begun(stage, 14);
  return first;
}

const scenarios: readonly Scenario[] = [
  { name: 'nothing', play: async (stage) => void stage.start('one', RUNS) },
  { name: 'Postgres restarted fast', play: restart('shutDown', 0) },
  { name: 'Postgres restarted immediately', play: restart('crash', 0) },
  { name: 'Postgres away for 60 s', play: restart('shutDown', 60_000), patienceMs: 120_000 },
  ...[1, 2, 3, 4, 5].map((times) => ({ name: `killed ${times} times`, play: killed(times) })),
  {
    name: 'killed, another executor there',
    async play(stage) {
      const first = await startTwo(stage);
      await first.end('SIGKILL');
    },
  },
  {
    name: 'stopped for 60 s, another executor there',
    async play(stage) {
      const first = await startTwo(stage);
      first.child.kill('SIGSTOP');
      await sleep(60_000);
      first.child.kill('SIGCONT');
      // What it was in the middle of ends there too, whoever has the runs by now.
      await sleep(2_000);
    },
  },
];

export interface Beside {
  readonly scenario: string;
  readonly subject: Subject;
  readonly completed: number;
  /** Steps that ended more than once, by as many times. */
  readonly endedAgain: number;
  /** Steps that were begun again without having ended. */
  readonly begunAgain: number;
  readonly tookMs: number | undefined;
}

/** The same chaos for both, as far as both can do it. */
export async function besideDbos(seed: number, say: (line: string) => void): Promise<Beside[]> {
  const binaries = findPostgres();
  if (!binaries)
    throw new Error('There is no Postgres here (initdb, postgres); NEXUS_TEST_POSTGRES names one.');
  dbosEntry();
  const figures: Beside[] = [];
  for (const scenario of scenarios) {
    for (const subject of SUBJECTS) {
      const figure = await play(scenario, { subject, binaries, seed });
      figures.push(figure);
      say(row(figure));
    }
  }
  return figures;
}

export const HEAD =
  '| what happens | by | of 7 runs completed | steps done twice | steps begun again | seconds |\n| --- | --- | --- | --- | --- | --- |';

function row({ scenario, subject, completed, endedAgain, begunAgain, tookMs }: Beside): string {
  const seconds = tookMs === undefined ? '-' : (tookMs / 1000).toFixed(1);
  return `| ${[scenario, subject, completed, endedAgain, begunAgain, seconds].join(' | ')} |`;
}

async function play(
  scenario: Scenario,
  { subject, binaries, seed }: { subject: Subject; binaries: string; seed: number },
): Promise<Beside> {
  const folder = mkdtempSync(join(tmpdir(), `nexus-beside-${subject}-`));
  const file = join(folder, 'lines.jsonl');
  writeFileSync(file, '');
  const said = createWriteStream(join(folder, 'stderr.txt'), { flags: 'a' });
  const postgres = await startPostgres(binaries);
  const proxy = await openProxy(postgres.url);
  const started: Executor[] = [];
  const lines = () => linesOf(file);
  try {
    await scenario.play({
      chance: seeded(seed),
      postgres,
      lines,
      start(executor, runs) {
        const one = startExecutor({ subject, executor, runs, file, databaseUrl: proxy.url, stderr: said });
        started.push(one);
        return one;
      },
    });
    const completed = () => RUNS.filter((run) => isDone(lines(), run)).length;
    await until(() => completed() === RUNS.length, scenario.patienceMs ?? 60_000).catch(() => {});
    return { scenario: scenario.name, subject, completed: completed(), ...countSteps(lines()) };
  } finally {
    await Promise.all(started.map((one) => one.end('SIGKILL')));
    await proxy[Symbol.asyncDispose]();
    await postgres.stop();
    said.end();
  }
}

/** Its last step has ended: who waited for it may be dead. */
const isDone = (lines: readonly Line[], run: string) =>
  lines.some((line) => line.run === run && line.step === STEPS - 1 && line.what === 'ended');

function countSteps(lines: readonly Line[]): Pick<Beside, 'endedAgain' | 'begunAgain' | 'tookMs'> {
  let endedAgain = 0;
  let begunAgain = 0;
  for (const run of RUNS) {
    for (let step = 0; step < STEPS; step += 1) {
      const own = lines.filter((line) => line.run === run && line.step === step);
      const times = (what: Line['what']) => own.filter((line) => line.what === what).length;
      endedAgain += Math.max(0, times('ended') - 1);
      begunAgain += times('begun') - times('ended');
    }
  }
  const steps = lines.filter(({ step }) => step !== undefined);
  const [first] = steps;
  const last = steps.filter(({ what }) => what === 'ended').at(-1);
  return { endedAgain, begunAgain, tookMs: first && last ? last.at - first.at : undefined };
}

interface ExecutorInput {
  readonly subject: Subject;
  readonly executor: string;
  readonly runs: readonly string[];
  readonly file: string;
  readonly databaseUrl: string;
  readonly stderr: NodeJS.WritableStream;
}

function startExecutor({ subject, executor, runs, file, databaseUrl, stderr }: ExecutorInput): Executor {
  const program = fileURLToPath(new URL(`./${subject}-child.ts`, import.meta.url));
  const args = ['--import', 'tsx', program, databaseUrl, file, executor, runs.join(',')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.pipe(stderr, { end: false });
  const exited = once(child, 'exit');
  return {
    child,
    isUp: () =>
      until(() => linesOf(file).some(({ what, pid }) => what === 'is up' && pid === child.pid), 30_000),
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error(`not within ${withinMs} ms`);
    await sleep(20);
  }
}
