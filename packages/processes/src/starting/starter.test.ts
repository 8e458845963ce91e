import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { isAlive } from '../is-alive.ts';
import { type ProgramToStart, type Started, startDirectly } from './started.ts';
import { Starter } from './starter.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-starter-test-')));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const PATIENCE = { timeout: 20_000, interval: 20 };

const node = (script: string, more: Partial<ProgramToStart> = {}): ProgramToStart => ({
  command: process.execPath,
  args: ['-e', script],
  cwd,
  environment: {},
  hasGroup: true,
  ...more,
});
const STAYS = "console.log('here'); setInterval(() => {}, 1000)";
const ended: number[] = [];
afterAll(() => {
  for (const pid of ended) if (isAlive(pid)) process.kill(-pid, 'SIGKILL');
});

/** Its process as the system has it, once it has said a word. */
async function here(program: Started): Promise<number> {
  ended.push(program.pid);
  await once(program.stdout, 'data');
  return program.pid;
}

async function openStarter(): Promise<Starter> {
  const starter = await Starter.open();
  onTestFinished(() => {
    if (isAlive(starter.pid)) process.kill(starter.pid, 'SIGKILL');
  });
  return starter;
}

/** The sockets with a name that a process has, as the kernel lists them. */
function listened(pid: number): string {
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((line) => own.includes(`socket:[${line.split(/\s+/)[6]}]`))
    .join('\n');
}

const ways = [
  ['from this process', async () => startDirectly] as const,
  [
    'by a starter',
    async () => {
      const starter = await openStarter();
      return (program: ProgramToStart) => starter.start(program);
    },
  ] as const,
];

describe.skipIf(process.platform === 'win32').each(ways)('a program started %s', (_, open) => {
  it('reads all that it is given, and all that it prints is read', async () => {
    const start = await open();
    const given = randomBytes(3_000_000);
    const program = await start(node('process.stdin.pipe(process.stdout)'));
    program.stdin.end(given);
    expect((await buffer(program.stdout)).equals(given)).toBe(true);
    expect(await program.exited).toEqual({ exitCode: 0, signalName: null });
  });

  it('has its two outputs apart, its arguments, its folder and no variable but its own', async () => {
    const start = await open();
    const script =
      'console.error(process.cwd()); console.log(JSON.stringify([process.argv.slice(1), process.env.A, process.env.HOME]))';
    const program = await start(
      node(script, { args: ['-e', script, '$HOME', '*'], environment: { A: 'ä' } }),
    );
    const [out, said] = await Promise.all([text(program.stdout), text(program.stderr)]);
    expect(JSON.parse(out)).toEqual([['$HOME', '*'], 'ä', null]);
    expect(said).toBe(`${cwd}\n`);
  });

  it('is told by what it exited, or which signal ended it', async () => {
    const start = await open();
    const exit = await start(node('process.exit(7)'));
    expect(await exit.exited).toEqual({ exitCode: 7, signalName: null });
    const killed = await start(node(STAYS));
    process.kill(-(await here(killed)), 'SIGTERM');
    expect(await killed.exited).toEqual({ exitCode: null, signalName: 'SIGTERM' });
  });

  it('ends with a pipe that nobody reads any more', async () => {
    const start = await open();
    const program = await start(node("setInterval(() => process.stdout.write('x'.repeat(1e5)), 1)"));
    await once(program.stdout, 'data');
    program.stdout.destroy();
    program.stderr.resume();
    expect((await program.exited).exitCode).not.toBe(0);
  });

  it.each([
    ['it is not there', { command: 'nexus-no-such-program' }, 'ENOENT'],
    ['its folder is not there', { cwd: '/nowhere' }, 'ENOENT'],
    ['it is no program', { command: '/' }, 'EACCES'],
    ['an argument is none', { args: ['\u0000'] }, 'ERR_INVALID_ARG_VALUE'],
    ['its arguments are more than the system takes', { args: Array(40).fill('x'.repeat(1e5)) }, 'E2BIG'],
  ])('that can’t be is told of with the system’s code: %s', async (_what, odd, code) => {
    const start = await open();
    await expect(start(node('', odd))).rejects.toMatchObject({ code });
  });

  it('is a group of its own where it is to be, and none where not', async () => {
    const start = await open();
    const groupOf = async (hasGroup: boolean) => {
      const pid = await here(await start(node(STAYS, { hasGroup })));
      const [, group] = /\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      process.kill(pid, 'SIGKILL');
      return Number(group) === pid;
    };
    expect([await groupOf(true), await groupOf(false)]).toEqual([true, false]);
  });
});

describe.skipIf(process.platform === 'win32')('a starter', () => {
  it('keeps the streams of many programs apart that are started at once', async () => {
    const starter = await openStarter();
    const echo = async (word: string) => {
      const program = await starter.start(
        node(`process.stdin.pipe(process.stdout); console.error('${word}!')`),
      );
      program.stdin.end(word);
      return Promise.all([text(program.stdout), text(program.stderr)]);
    };
    const words = Array.from({ length: 12 }, (_, index) => `word ${index}`);
    expect(await Promise.all(words.map(echo))).toEqual(words.map((word) => [word, `${word}!\n`]));
  });

  it.runIf(process.platform === 'linux')(
    'gets nothing of what is secret to its owner, and lets nobody else ask it',
    async () => {
      vi.stubEnv('NEXUS_CANARY_TOKEN', 'secret');
      onTestFinished(() => void vi.unstubAllEnvs());
      const { pid } = await openStarter();
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(variables).toContain('PATH=');
      expect(variables).not.toContain('NEXUS_CANARY');
      const [, folder = ''] = new RegExp(`(${tmpdir()}/nexus-starter-[^/]+)/s`).exec(listened(pid)) ?? [];
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    },
  );

  it('starts nothing for whoever gave up before, and ends what was started meanwhile', async () => {
    const starter = await openStarter();
    const file = join(cwd, 'given-up.pid');
    const script = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const before = AbortSignal.abort(new Error('not wanted'));
    await expect(starter.start(node(script, { signal: before }))).rejects.toThrow('not wanted');
    expect(existsSync(file)).toBe(false);
    // It is stopped, so that what it is asked for is given up before it can answer.
    process.kill(starter.pid, 'SIGSTOP');
    const caller = new AbortController();
    const starting = starter.start(node(script, { signal: caller.signal }));
    const outcome = expect(starting).rejects.toThrow('given up');
    caller.abort(new Error('given up'));
    await outcome;
    process.kill(starter.pid, 'SIGCONT');
    const next = await starter.start(node('process.exit(0)'));
    expect(await next.exited).toEqual({ exitCode: 0, signalName: null });
    if (existsSync(file)) {
      const pid = Number(readFileSync(file, 'utf8'));
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);
    }
  });

  it('that is killed leaves what it started as it is, and nobody can tell by what that ends', async () => {
    const starter = await openStarter();
    const program = await starter.start(node(`process.stdin.pipe(process.stdout); ${STAYS}`));
    await here(program);
    process.kill(starter.pid, 'SIGKILL');
    await vi.waitFor(() => expect(starter.isFit).toBe(false), PATIENCE);
    program.stdin.write('still heard');
    expect(String((await once(program.stdout, 'data'))[0])).toBe('still heard');
    program.stderr.resume();
    program.stdout.resume();
    process.kill(-program.pid, 'SIGKILL');
    expect(await program.exited).toEqual({ exitCode: null, signalName: null });
  });

  it('that is killed while it was asked says so, since to start the program again could do its work twice', async () => {
    await vi.waitFor(async () => {
      const starter = await openStarter();
      process.kill(starter.pid, 'SIGSTOP');
      const outcome = starter.start(node(STAYS)).catch(({ message }: Error) => message);
      await sleep(100); // Killed before it was asked, it says that it could not be reached.
      process.kill(starter.pid, 'SIGKILL');
      expect(await outcome).toContain('was ended meanwhile');
    }, PATIENCE);
  });

  it('goes with its owner, however that goes, and all that it started with it', async () => {
    const program = await bundleProgram(new URL('../../test/programs/owner.ts', import.meta.url));
    const owner = spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(owner.stdout, 'data');
    const pids = JSON.parse(String(line)) as number[];
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    owner.kill('SIGKILL');
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false, false]), PATIENCE);
  });
});
