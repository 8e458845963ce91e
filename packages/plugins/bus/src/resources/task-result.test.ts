import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { busOptions, createBus } from '../bus.ts';
import { taskResult } from './task-result.ts';

describeOnEach('a task’s result as a resource', (place) => {
  let bus: BusUnderTest;
  let read: (taskId: string) => Promise<string>;
  beforeEach(async () => {
    const options = { name: crypto.randomUUID() };
    bus = await startBus({ ...place, options });
    const state = createBus(busOptions.parse(options), bus.host);
    read = (taskId) => taskResult.read({ taskId }, { state, host: bus.host, roots: async () => [] });
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
    expect(first).toMatchObject({ taskId: long, resultChars: 90_008 });
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
