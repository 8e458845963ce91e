import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { devNull } from 'node:os';
import { PassThrough, Readable } from 'node:stream';
import type { RunningProgram } from '@nexus/plugin-sdk';
import { programs } from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import { makeFolder, startProject } from '../../test/start-project.ts';
import { ripgrepRecords } from './run.ts';

/** How many rg processes this one has started that still run, by itself or by the process that starts programs for it. */
function runningCount(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const ours = new Set([String(process.pid)]);
  for (const [pid = '', parent] of processes) if (parent === String(process.pid)) ours.add(pid);
  return processes.filter(
    ([, parent = '', state, command]) =>
      ours.has(parent) && !state?.startsWith('Z') && command?.endsWith('rg'),
  ).length;
}

const ripgrep = { binary: undefined, exclude: [], maxFileBytes: 100_000_000, privatePaths: [], programs };

it('is done with an rg that had said nothing, and was over, before anybody listened', async () => {
  const stderr = new PassThrough();
  const closed = once(stderr, 'close');
  stderr.destroy();
  await closed;
  const over: RunningProgram = {
    pid: process.pid,
    stdout: Readable.from(['a\nb\n']),
    stderr,
    exited: Promise.resolve({ exitCode: 0 }),
    end() {},
  };
  const signal = new AbortController().signal;
  const run = { args: [], operands: ['./'], cwd: '/', separator: '\n', signal } as const;
  const records = ripgrepRecords({ ...ripgrep, programs: { ...programs, start: async () => over } }, run);
  expect(await records.next()).toEqual({ done: false, value: ['a', 'b'] });
  expect(await records.next()).toEqual({ done: true, value: [] });
});

// There is no ps to ask on Windows.
describe.runIf(process.platform !== 'win32')('an rg process', () => {
  /** Unicode word boundaries leave rg only its slow engine: seconds for this text. */
  const slow = { query: String.raw`\b(\pL{1,50} ?){1,20}\bQ`, mode: 'regex' };
  const text = `${`${'ä'.repeat(50)} `.repeat(20_000)}\n`.repeat(10);

  it('is gone when the caller cancels', async () => {
    await using project = await startProject({ 'a.txt': text }, { options: { maxFileBytes: 60_000_000 } });
    const controller = new AbortController();
    const call = project.call('search_codebase', slow, { signal: controller.signal });
    await vi.waitFor(() => expect(runningCount()).toBe(1), { timeout: 5_000 });
    controller.abort();
    const result = await call;
    expect(result._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_CANCELLED' });
    await vi.waitFor(() => expect(runningCount()).toBe(0), { timeout: 1_000 });
  });

  it('is not started for a call that is cancelled already', async () => {
    const run = {
      args: ['--files'],
      operands: ['./'],
      cwd: '/',
      separator: '\n',
      signal: AbortSignal.abort(),
    } as const;
    await expect(ripgrepRecords(ripgrep, run).next()).rejects.toThrow();
    expect(runningCount()).toBe(0);
  });

  it.each([
    ['exit 1', 'NEXUS_FILE_UNREADABLE', 'not for the pattern'],
    ['exit 2', 'NEXUS_INVALID_PATTERN', 'refused the pattern'],
  ])(
    'that fails is told as the fault of the folder, unless it fails where nothing is, too: %s',
    async (elsewhere, code, said) => {
      const script = `case "$*" in *" --no-ignore -- x ${devNull}") ${elsewhere};; esac\necho "rg: no" >&2\nexit 2\n`;
      using folder = makeFolder({ 'rg.sh': `#!/bin/sh\n${script}` });
      const binary = `${folder.path}/rg.sh`;
      chmodSync(binary, 0o755);
      const { signal } = new AbortController();
      const run = { args: [], operands: ['x', './'], cwd: folder.path, separator: '\n', signal } as const;
      await expect(ripgrepRecords({ ...ripgrep, binary }, run).next()).rejects.toMatchObject({
        code,
        message: expect.stringMatching(new RegExp(`${said}[\\s\\S]*rg: no`)),
      });
    },
  );

  it('gets nothing of the environment but where things are', async () => {
    using folder = makeFolder({ 'env.sh': '#!/bin/sh\nenv\n' });
    const binary = `${folder.path}/env.sh`;
    chmodSync(binary, 0o755);
    vi.stubEnv('NEXUS_CANARY_TOKEN', 'secret');
    vi.stubEnv('RIPGREP_CONFIG_PATH', '/nowhere');
    try {
      const signal = new AbortController().signal;
      const run = { args: [], operands: ['x'], cwd: folder.path, separator: '\n', signal } as const;
      const got: string[] = [];
      for await (const records of ripgrepRecords({ ...ripgrep, binary }, run)) got.push(...records);
      expect(got.join('\n')).toContain('PATH=');
      expect(got.join('\n')).not.toMatch(/NEXUS_CANARY|RIPGREP_CONFIG/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('is gone when its reader has had enough', async () => {
    using folder = makeFolder({ 'a.txt': 'x\n'.repeat(5_000_000) });
    const signal = new AbortController().signal;
    const run = { args: [], operands: ['x', './'], cwd: folder.path, separator: '\n', signal } as const;
    for await (const records of ripgrepRecords(ripgrep, run)) {
      expect(records.length).toBeGreaterThan(0);
      expect(runningCount()).toBe(1);
      break;
    }
    await vi.waitFor(() => expect(runningCount()).toBe(0), { timeout: 1_000 });
  });
});

describe('a search with too many matching lines', () => {
  it('is ended, and its total said to be a lower bound', async () => {
    await using project = await startProject({ 'a.txt': 'x\n'.repeat(150_000) });
    const answer = await project.answer('search_codebase', { query: 'x', limit: 1 });
    expect(answer).toMatchObject({ totalIsLowerBound: true, notes: [expect.stringContaining('Narrow')] });
    expect(answer.total).toBeGreaterThan(100_000);
  });
});
