import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';

const workers = Array.from({ length: 8 }, (_, index) => `w${index}`);

describeOnEach('eight workers', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus(place);
  });
  afterEach(() => bus.stop());

  it('race for one task, and one gets it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const taskId = await bus.submit();
      const won = (await Promise.all(workers.map((worker) => bus.poll(worker)))).filter((task) => task);
      expect(won.map((task) => task?.taskId)).toEqual([taskId]);
    }
  });

  it('do each of 400 tasks once', async () => {
    const submitted: string[] = [];
    const submit = async () => {
      for (let count = 0; count < 50; count += 1) submitted.push(await bus.submit());
    };
    await Promise.all(workers.map(submit));
    const done: string[] = [];
    const work = async (worker: string) => {
      for (let task = await bus.poll(worker); task; task = await bus.poll(worker)) {
        done.push(task.taskId);
        await bus.answer('complete_task', { leaseId: task.leaseId, result: worker });
      }
    };
    await Promise.all(workers.map(work));
    expect([...done].sort()).toEqual([...submitted].sort());
    expect(await bus.answer('bus_status')).toMatchObject({ tasks: { done: 400, queued: 0, leased: 0 } });
  });
});

describeOnEach('a restart', (place) => {
  it('finds everything again: leases, dependencies, messages, reservations', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nexus-bus-'));
    const again = { ...place, dataDir, options: { name: crypto.randomUUID() } };
    const before = await startBus(again);
    const taskId = await before.submit({ payload: { kept: true } });
    const { leaseId } = await before.lease();
    const blocked = await before.submit({ dependsOn: [taskId] });
    await before.answer('reserve_files', { worker: 'z.ai1', globs: ['src/**'] });
    await before.answer('register_worker', { name: 'z.ai2' });
    await before.answer('send_message', { from: 'z.ai1', to: 'z.ai2', body: 'still here' });
    await before.stop();
    const after = await startBus(again);
    expect(await after.answer('fetch_inbox', { worker: 'z.ai2' })).toMatchObject({
      messages: [{ body: 'still here' }],
    });
    const refused = await after.refusal('reserve_files', { worker: 'z.ai2', globs: ['src/a.ts'] });
    expect(refused).toMatchObject({ code: 'NEXUS_CONFLICT' });
    await after.answer('complete_task', { leaseId, result: 1 });
    expect(await after.lease('z.ai2')).toMatchObject({ taskId: blocked });
    await after.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
