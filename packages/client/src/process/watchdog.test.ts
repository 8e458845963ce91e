import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createWatchdog, isAlive } from '@nexus/processes';
import { afterEach, describe, expect, it, vi } from 'vitest';

const holder = fileURLToPath(new URL('../../test/programs/holder.ts', import.meta.url));
const started: ChildProcess[] = [];

function start(...args: Parameters<typeof spawn>): ChildProcess & { readonly pid: number } {
  const child = spawn(...args) as ChildProcess & { readonly pid: number };
  started.push(child);
  return child;
}

/** A process that ends only when it is forced to. */
async function startStubborn() {
  const script = 'trap "" TERM; echo ready; while :; do sleep 1; done';
  const child = start('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

afterEach(() => {
  for (const { pid } of started.splice(0)) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // Gone already, as it should be.
    }
  }
});

describe.skipIf(process.platform === 'win32')('the watchdog', () => {
  it.each([
    ['its process', (pid: number) => process.kill(pid, 'SIGKILL')],
    ['the whole group of its process', (pid: number) => process.kill(-pid, 'SIGKILL')],
  ])('ends servers and their children after kill -9 of %s', async (_, kill) => {
    const parent = start(process.execPath, ['--import', 'tsx', holder], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = parent.stdout ? await once(parent.stdout, 'data') : [];
    const pids: number[] = JSON.parse(String(line));
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    kill(parent.pid);
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false, false]), { timeout: 10_000 });
  });

  it('leaves a released group alone and ends the others when it is closed', async () => {
    const watchdog = createWatchdog();
    const groups = await Promise.all([startStubborn(), startStubborn(), startStubborn()]);
    const [first, second, third] = groups.map(({ pid }) => pid) as [number, number, number];
    for (const pid of [first, second, third]) watchdog.watch(pid);
    watchdog.release(second);
    watchdog.close();
    await vi.waitFor(() => expect([first, third].map(isAlive)).toEqual([false, false]), { timeout: 10_000 });
    expect(isAlive(second)).toBe(true);
  });
});
