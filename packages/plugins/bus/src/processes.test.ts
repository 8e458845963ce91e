import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { type BusUnderTest, startBus } from '../test/bus-under-test.ts';

const WORKER_PROCESS = await bundleProgram(new URL('../test/worker-process.ts', import.meta.url));

/** On SQLite, where processes share a file; the connections of one process to Postgres race as well. */
describe('workers in several processes', () => {
  let bus: BusUnderTest;
  let dataDir: string;
  let workDone: string;
  let name: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'nexus-bus-'));
    workDone = join(dataDir, 'work-done');
    writeFileSync(workDone, '');
    name = crypto.randomUUID();
    bus = await startBus({ dataDir, options: { name } });
  });

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await bus.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const startWorkers = (...workers: string[]) => {
    const args = [WORKER_PROCESS, dataDir, name, workDone, ...workers];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(child);
    return child;
  };
  const submitAll = (count: number, task = {}) =>
    Promise.all(Array.from({ length: count }, () => bus.submit(task)));
  /** The tasks worked on, in order, by the workers' own record. */
  const workedOn = () =>
    readFileSync(workDone, 'utf8')
      .split('\n')
      .flatMap((line) => line.split(' ')[0] || []);
  const counts = async () => (await bus.answer<{ tasks: Record<string, number> }>('bus_status')).tasks;

  it('do each of 100 tasks once: four processes, two workers in each', async () => {
    const submitted = await submitAll(100);
    const processes = ['a', 'b', 'c', 'd'].map((each) => startWorkers(`${each}1`, `${each}2`));
    const exits = await Promise.all(processes.map((child) => once(child, 'exit')));
    expect(exits).toEqual(processes.map(() => [0, null]));
    expect(workedOn().sort()).toEqual([...submitted].sort());
    expect(await counts()).toMatchObject({ done: 100, queued: 0, leased: 0, expired: 0 });
  });

  it('lose nothing when one process is killed at work', async () => {
    const submitted = await submitAll(100, { timeoutMs: 2_000, maxAttempts: 20 });
    const doomed = startWorkers('doomed1', 'doomed2');
    while (workedOn().length < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    const survivors = [startWorkers('left1', 'left2'), startWorkers('left3', 'left4')];
    await Promise.all(survivors.map((child) => once(child, 'exit')));
    expect(await counts()).toMatchObject({ done: 100, queued: 0, leased: 0, expired: 0, dead: 0 });
    expect(new Set(workedOn())).toEqual(new Set(submitted));
  });
});
