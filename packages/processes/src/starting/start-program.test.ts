import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isAlive } from '../is-alive.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const program = {
  command: process.execPath,
  args: ['-e', "console.log('here'); setInterval(() => {}, 1000)"],
  cwd: '/',
  environment: {},
  hasGroup: true,
};

/** A process has one starter, so each test has the module anew. */
let startProgram: typeof import('./start-program.ts').startProgram;
beforeEach(async () => {
  vi.resetModules();
  ({ startProgram } = await import('./start-program.ts'));
});

async function parentOfNext(): Promise<number> {
  const { pid, stdout } = await startProgram(program);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(-pid, 'SIGKILL');
  });
  await once(stdout, 'data');
  const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return Number(parent);
}

function ofSize(bytes: number): void {
  vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(bytes);
  onTestFinished(() => void vi.restoreAllMocks());
}

/** The process that starts programs for this one, once there is one. */
async function starterOf(): Promise<number> {
  return vi.waitFor(async () => {
    const parent = await parentOfNext();
    expect(parent).not.toBe(process.pid);
    return parent;
  }, PATIENCE);
}

describe.runIf(process.platform === 'linux')('programs', () => {
  it('are started by a process that is small itself, as long as they are few', async () => {
    ofSize(50 * 1024 * 1024);
    const before = childrenHere('nexus-starter-'); // of other tests
    for (let count = 0; count < 3; count += 1) expect(await parentOfNext()).toBe(process.pid);
    expect(childrenHere('nexus-starter-')).toEqual(before);
    const starter = await starterOf();
    expect(before).not.toContain(String(starter));
    expect(childrenHere('nexus-starter-')).toContain(String(starter));
  });

  it('of a process that has grown are started by a small one beside it, the first by itself', async () => {
    ofSize(400 * 1024 * 1024);
    expect(await parentOfNext()).toBe(process.pid);
    const starter = await starterOf();
    expect(await parentOfNext()).toBe(starter);
  });

  it('are started all the same where that one was killed, and by another one later', async () => {
    ofSize(400 * 1024 * 1024);
    const first = await starterOf();
    process.kill(first, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(first)).toBe(false), PATIENCE);
    const second = await starterOf();
    expect(second).not.toBe(first);
  });

  it('are ended where they were given up while they were being started', async () => {
    ofSize(50 * 1024 * 1024);
    const caller = new AbortController();
    const starting = startProgram({ ...program, signal: caller.signal });
    caller.abort(new Error('given up'));
    await expect(starting).rejects.toThrow('given up');
    await vi.waitFor(() => expect(childrenHere("console.log('here')")).toEqual([]), PATIENCE);
  });
});

/** The children of this process that have the word in their commands. */
function childrenHere(word: string): string[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false; // gone, or none
    }
  });
}
