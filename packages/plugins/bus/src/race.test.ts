import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BusUnderTest, databases, startBus } from '../test/bus-under-test.ts';

const WORKER_PROCESS = fileURLToPath(new URL('../test/worker-process.ts', import.meta.url));
const names = (count: number, prefix = 'w') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe.each(databases)('workers that race on $name', ({ place }) => {
  let bus: BusUnderTest;
  let scratch: string;
  let workDone: string;
  let name: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'nexus-bus-'));
    workDone = join(scratch, 'work-done');
    writeFileSync(workDone, '');
    name = `race-${crypto.randomUUID()}`;
    bus = await startBus({ ...place, dataDir: scratch, options: { name, backoffMs: 0 } });
  });

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    await bus.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const startWorkers = (...workers: string[]) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', WORKER_PROCESS, scratch, name, workDone, ...workers],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, WORKER_DATABASE_URL: place.databaseUrl ?? '' },
      },
    );
    children.push(child);
    return child;
  };
  const submitAll = (count: number, task = {}) =>
    Promise.all(names(count, 'task ').map((title) => bus.submit({ title, ...task })));
  const workLines = () => readFileSync(workDone, 'utf8').trim().split('\n').filter(Boolean);
  const counts = async () => (await bus.answer<{ tasks: Record<string, number> }>('bus_status')).tasks;

  it('for one task: one of eight gets it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const taskId = await bus.submit();
      const won = (await Promise.all(names(8).map((worker) => bus.poll(worker)))).filter((task) => task);
      expect(won.map((task) => task?.taskId)).toEqual([taskId]);
    }
  });

  it('do each of 1000 tasks once, eight workers in one process', { timeout: 120_000 }, async () => {
    const submitted = await submitAll(1_000);
    const done: string[] = [];
    const work = async (worker: string) => {
      for (let task = await bus.poll(worker); task; task = await bus.poll(worker)) {
        done.push(task.taskId);
        await bus.answer('complete_task', { leaseId: task.leaseId, result: worker });
      }
    };
    await Promise.all(names(8).map(work));
    expect([...done].sort()).toEqual([...submitted].sort());
    expect(await counts()).toMatchObject({ done: 1_000, queued: 0, leased: 0 });
  });

  it('do each of 200 tasks once, two workers in each of four processes', { timeout: 120_000 }, async () => {
    const submitted = await submitAll(200);
    const processes = names(4, 'p').map((process) => startWorkers(`${process}-a`, `${process}-b`));
    const exits = await Promise.all(processes.map((child) => once(child, 'exit')));
    expect(exits).toEqual(processes.map(() => [0, null]));
    const done = workLines().map((line) => line.split(' ')[0] ?? '');
    expect(done.sort()).toEqual([...submitted].sort());
    expect(await counts()).toMatchObject({ done: 200, queued: 0, leased: 0, expired: 0 });
  });

  it('lose nothing when a process of theirs is killed at work', { timeout: 120_000 }, async () => {
    const submitted = await submitAll(200, { timeoutMs: 2_000, maxAttempts: 20 });
    const doomed = startWorkers('doomed-a', 'doomed-b');
    while (workLines().length < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    const survivors = [startWorkers('left-a', 'left-b'), startWorkers('left-c', 'left-d')];
    await Promise.all(survivors.map((child) => once(child, 'exit')));
    expect(await counts()).toMatchObject({ done: 200, queued: 0, leased: 0, expired: 0, dead: 0 });
    expect(new Set(workLines().map((line) => line.split(' ')[0]))).toEqual(new Set(submitted));
  });

  it('find everything again after a restart', async () => {
    const taskId = await bus.submit({ payload: { kept: true } });
    const { leaseId } = await bus.lease();
    const blocked = await bus.submit({ dependsOn: [taskId] });
    await bus.answer('reserve_files', { worker: 'z.ai1', globs: ['src/**'] });
    await bus.answer('register_worker', { name: 'z.ai2' });
    await bus.answer('send_message', { from: 'z.ai1', to: 'z.ai2', body: 'still here' });
    await bus.stop();
    bus = await startBus({ ...place, dataDir: scratch, options: { name } });
    expect(await bus.answer('fetch_inbox', { worker: 'z.ai2' })).toMatchObject({
      messages: [{ body: 'still here' }],
    });
    const refused = await bus.refusal('reserve_files', { worker: 'z.ai2', globs: ['src/a.ts'] });
    expect(refused).toMatchObject({ code: 'NEXUS_CONFLICT' });
    await bus.answer('complete_task', { leaseId, result: 1 });
    expect(await bus.lease('z.ai2')).toMatchObject({ taskId: blocked });
  });
});
