import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programEnvironment } from '@nexus/plugin-sdk';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createPrograms } from './programs.ts';

const programs = createPrograms();
const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-programs-')));
afterAll(() => {
  programs.close();
  rmSync(cwd, { recursive: true, force: true });
});
const PATIENCE = { timeout: 20_000, interval: 20 };

const node = (script: string) => [process.execPath, '-e', script];

interface How {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function run(
  command: readonly string[],
  { timeoutMs = 60_000, signal = new AbortController().signal }: How = {},
) {
  return programs.run({ command, cwd, environment: [], timeoutMs, maxOutputChars: 20_000, signal });
}

/** Starts a child that would live on, writes its pid and waits. */
const withChild = (file: string) =>
  node(
    `const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
     require('fs').writeFileSync(${JSON.stringify(file)} + '.new', String(child.pid));
     require('fs').renameSync(${JSON.stringify(file)} + '.new', ${JSON.stringify(file)});
     setInterval(() => {}, 1000);`,
  );

async function isGone(file: string): Promise<void> {
  const pid = Number(readFileSync(file, 'utf8'));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), PATIENCE);
}

describe('a program', () => {
  it('is told by what it exited and printed', async () => {
    const result = await run(node('console.log("out"); console.error("err"); process.exit(3)'));
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 3 });
    expect(result.output).toContain('out\n');
    expect(result.output).toContain('err\n');
  });

  it('gets its arguments as they are, and no shell reads them', async () => {
    const echo = node('console.log(JSON.stringify(process.argv.slice(1)))');
    const { output } = await run([...echo, '$HOME; touch x', '*']);
    expect(JSON.parse(output)).toEqual(['$HOME; touch x', '*']);
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });

  it('that prints without end keeps its first and its last words', async () => {
    const { output } = await run(node('console.log("first" + "x".repeat(3e6) + "last")'));
    expect(output).toMatch(/^first[\s\S]*characters left out[\s\S]*last\n$/);
    expect(output.length).toBeLessThan(20_100);
    // Of 3 000 010 in all.
    expect(Number(/(\d+) characters left out/.exec(output)?.[1])).toBeGreaterThan(2_980_000);
  });

  it('keeps of what a test runner printed how a test failed, in the midst of many that passed', async () => {
    const passed = 'for (let n = 0; n < 3000; n += 1) console.log("test some::name_" + n + " ... ok");';
    const { output } = await run(
      node(
        `console.log("running 6001 tests"); ${passed} console.log("test the::one ... FAILED"); ${passed} console.log("test result: FAILED. 6000 passed; 1 failed");`,
      ),
    );
    expect(output).toBe(
      '[… 6000 lines that tell of passed tests left out …]\nrunning 6001 tests\ntest the::one ... FAILED\ntest result: FAILED. 6000 passed; 1 failed\n',
    );
  });

  it.skipIf(process.platform === 'win32')('out of time is ended with all that it started', async () => {
    const file = join(cwd, 'timed-out.pid');
    const slow = ['/bin/sh', '-c', `sleep 1000 & echo $! > ${file}; wait`];
    const { outcome } = await run(slow, { timeoutMs: 4_000 });
    expect(outcome).toBe('timed_out');
    await isGone(file);
  });

  it('is ended with all that it started when its run is', async () => {
    const file = join(cwd, 'cancelled.pid');
    const caller = new AbortController();
    const running = run(withChild(file), { signal: caller.signal });
    running.catch(() => {});
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), PATIENCE);
    caller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await isGone(file);
  });

  it('is ended when its run is ended while it was being started', async () => {
    const caller = new AbortController();
    const running = run(node('setInterval(() => {}, 1000)'), { signal: caller.signal });
    caller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
  });

  it('leaves nothing running when it ends by itself', async () => {
    const file = join(cwd, 'left.pid');
    const script = `const c = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(file)}, String(c.pid)); c.unref(); process.exit(0);`;
    expect(await run(node(script))).toMatchObject({ outcome: 'passed' });
    await isGone(file);
  });

  it('that can’t be started is an error that names it', async () => {
    await expect(run(['nexus-no-such-program'])).rejects.toMatchObject({
      code: 'NEXUS_UNAVAILABLE',
      message: expect.stringContaining('"nexus-no-such-program" can\'t be started'),
    });
  });
});

describe('the environment of a program', () => {
  it('is the places and what is named beside, and no secret beside', () => {
    const from = {
      PATH: '/bin',
      HOME: '/home',
      ANTHROPIC_API_KEY: 'key',
      NPM_TOKEN: 'token',
      DATABASE: 'test',
    };
    expect(programEnvironment(['DATABASE', 'NOT_SET'], from)).toEqual({
      PATH: '/bin',
      HOME: '/home',
      DATABASE: 'test',
    });
  });
});
