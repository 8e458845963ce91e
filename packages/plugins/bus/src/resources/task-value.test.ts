import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { busOptions, createBus } from '../bus.ts';
import { type LongPart, taskValue } from './task-value.ts';

describeOnEach('a task’s long values as resources', (place) => {
  let bus: BusUnderTest;
  let read: (taskId: string, part?: LongPart) => Promise<string>;
  beforeEach(async () => {
    const options = { name: crypto.randomUUID() };
    bus = await startBus({ ...place, options });
    const state = createBus(busOptions.parse(options), bus.host);
    read = (taskId, part = 'result') =>
      taskValue.read({ taskId, part }, { state, host: bus.host, roots: async () => [] });
  });
  afterEach(() => bus.stop());
  const done = async (result: unknown) => {
    const taskId = await bus.submit();
    await bus.answer('complete_task', { leaseId: (await bus.lease()).leaseId, result });
    return taskId;
  };

  it('is a text as it is, and anything else as JSON', async () => {
    const long = 'line\n'.repeat(18_000);
    expect(await read(await done(long))).toBe(long);
    expect(JSON.parse(await read(await done({ files: ['a.ts'] })))).toEqual({ files: ['a.ts'] });
    expect(await read(await bus.submit())).toBe('null');
    await expect(read('task_0000000000000000')).rejects.toThrow('No task');
  });

  it('are told by their beginning and by where they are, whole in no part of an answer that has no room for them', async () => {
    const payload = { list: Array.from({ length: 9_000 }, (_, at) => ({ at, text: `item ${at}` })) };
    const taskId = await bus.submit({ payload });
    const polled = (await bus.lease()) as unknown as Record<string, unknown>;
    const progress = 'p'.repeat(60_000);
    await bus.answer('heartbeat_task', { leaseId: polled.leaseId, progress });
    const working = (await bus.status(taskId)).detail as unknown as Record<string, unknown>;
    const result = `${'r'.repeat(70_000)}`;
    await bus.answer('complete_task', { leaseId: polled.leaseId, result });
    const done = (await bus.status(taskId)).detail as unknown as Record<string, unknown>;
    for (const told of [polled, working, done]) {
      expect(told).not.toHaveProperty('payload');
      expect(told).toMatchObject({
        payloadChars: JSON.stringify(payload, null, 2).length,
        payloadStart: expect.stringMatching(/^\{"list":\[\{"at":0,/),
        payloadUri: `nexus://tasks/${taskId}/payload`,
      });
    }
    expect(working.progress).toMatchObject({
      valueChars: 60_000,
      valueUri: `nexus://tasks/${taskId}/progress`,
    });
    expect(done).toMatchObject({ resultChars: 70_000, resultStart: expect.stringMatching(/^r{700,}$/) });
    expect(JSON.parse(await read(taskId, 'payload'))).toEqual(payload);
    expect(await read(taskId, 'progress')).toBe(progress);
    expect(await read(taskId, 'result')).toBe(result);
    await expect(read(taskId, 'title' as LongPart)).rejects.toThrow(
      'payload, result, progress, and no title',
    );
    const short = await bus.submit({ payload: 'x'.repeat(9_000) });
    expect(await bus.lease()).toMatchObject({ taskId: short, payload: 'x'.repeat(9_000) });
  });

  it('is named to whoever takes what waited for it, with its beginning, and others are named all the same', async () => {
    const long = await done(`begin ${'y'.repeat(90_000)}`);
    const many = [];
    for (let at = 0; at < 98; at += 1) many.push(await done({ at, text: 'z'.repeat(200) }));
    const small = await done('small');
    await bus.submit({ dependsOn: [long, ...many, small] });
    type Dependency = { taskId: string; result?: unknown; resultUri?: string };
    const task = (await bus.lease()) as unknown as { dependencies: Dependency[]; dependenciesTotal?: number };
    expect(JSON.stringify(task.dependencies).length).toBeLessThanOrEqual(12_000);
    const [first] = task.dependencies;
    expect(first).toMatchObject({ taskId: long, resultChars: 90_006 });
    expect(await read(/tasks\/(\w+)\/result/.exec(first?.resultUri ?? '')?.[1] ?? '')).toMatch(/^begin y+$/);
    const told = task.dependencies.map(({ taskId }) => taskId);
    expect(told).toEqual([long, ...many, small].slice(0, told.length));
    expect(task.dependenciesTotal).toBe(100);
    const some = await bus.submit({ dependsOn: [long, small] });
    expect(await bus.lease()).toMatchObject({
      taskId: some,
      dependencies: [
        { resultStart: expect.stringMatching(/^begin y{700,}$/) },
        { taskId: small, result: 'small' },
      ],
    });
  });
});
