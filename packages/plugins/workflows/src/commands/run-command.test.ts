import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runAllowed } from './allowed.ts';
import { commandEnvironment } from './environment.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-commands-')));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const PATIENCE = { timeout: 20_000, interval: 20 };

const node = (script: string) => [process.execPath, '-e', script];
const allowed = (commands: Readonly<Record<string, readonly string[]>>, commandTimeoutMs = 60_000) => ({
  commands,
  commandEnvironment: [],
  commandTimeoutMs,
});
const at = (signal = new AbortController().signal) => ({ cwd, signal });

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

describe('an allowed command', () => {
  it('is told by what it exited and printed', async () => {
    const commands = { bad: node('console.log("out"); console.error("err"); process.exit(3)') };
    const result = await runAllowed(allowed(commands), 'bad', at());
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 3 });
    expect(result.output).toContain('out\n');
    expect(result.output).toContain('err\n');
  });

  it('gets its arguments as they are, and no shell reads them', async () => {
    const commands = {
      echo: [...node('console.log(JSON.stringify(process.argv.slice(1)))'), '$HOME; touch x', '*'],
    };
    const { output } = await runAllowed(allowed(commands), 'echo', at());
    expect(JSON.parse(output)).toEqual(['$HOME; touch x', '*']);
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });

  it('that prints without end keeps its first and its last words', async () => {
    const commands = { loud: node('console.log("first" + "x".repeat(3e6) + "last")') };
    const { output } = await runAllowed(allowed(commands), 'loud', at());
    expect(output).toMatch(/^first[\s\S]*characters left out[\s\S]*last\n$/);
    expect(output.length).toBeLessThan(20_100);
  });

  it.skipIf(process.platform === 'win32')('out of time is ended with all that it started', async () => {
    const file = join(cwd, 'timed-out.pid');
    const slow = ['/bin/sh', '-c', `sleep 1000 & echo $! > ${file}; wait`];
    const { outcome } = await runAllowed(allowed({ slow }, 4_000), 'slow', at());
    expect(outcome).toBe('timed_out');
    await isGone(file);
  });

  it('is ended with all that it started when its run is', async () => {
    const file = join(cwd, 'cancelled.pid');
    const run = new AbortController();
    const running = runAllowed(allowed({ slow: withChild(file) }), 'slow', at(run.signal));
    running.catch(() => {});
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), PATIENCE);
    run.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await isGone(file);
  });

  it('leaves nothing running when it ends by itself', async () => {
    const file = join(cwd, 'left.pid');
    const script = `const c = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(file)}, String(c.pid)); c.unref(); process.exit(0);`;
    expect(await runAllowed(allowed({ leaving: node(script) }), 'leaving', at())).toMatchObject({
      outcome: 'passed',
    });
    await isGone(file);
  });

  it('that can’t be started has failed, and says so', async () => {
    const { outcome, output } = await runAllowed(allowed({ none: ['nexus-no-such-program'] }), 'none', at());
    expect(outcome).toBe('failed');
    expect(output).toMatch(/"nexus-no-such-program" can't be started/);
  });

  it.each(['other', 'constructor', '__proto__'])('is one of the list, and %s is none', async (name) => {
    await expect(runAllowed(allowed({ test: ['true'] }), name, at())).rejects.toMatchObject({
      code: 'NEXUS_DENIED',
    });
  });
});

describe('the environment of a command', () => {
  it('is the places and what the config names, and no secret beside', () => {
    const from = {
      PATH: '/bin',
      HOME: '/home',
      ANTHROPIC_API_KEY: 'key',
      NPM_TOKEN: 'token',
      DATABASE: 'test',
    };
    expect(commandEnvironment(['DATABASE', 'NOT_SET'], from)).toEqual({
      PATH: '/bin',
      HOME: '/home',
      DATABASE: 'test',
    });
  });
});
