import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

interface Listed {
  readonly tasks: readonly { readonly taskId: string; readonly status: string }[];
  readonly total: number;
}

describeOnEach('tasks with a label', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus({ ...place, options: { backoffMs: 0, lookAgainMs: 10_000 } });
  });
  afterEach(() => bus.stop());
  const list = (args: object) => bus.answer<Listed>('task_status', { ...args });
  const ids = async (args: object) => (await list(args)).tasks.map(({ taskId }) => taskId);
  const complete = async () => {
    const { leaseId } = await bus.lease();
    await bus.answer('complete_task', { leaseId, result: 1 });
  };
  /** Whether it is answered without anything happening any more. */
  async function isAnswered(waiting: Promise<unknown>): Promise<boolean> {
    let answered = false;
    void waiting.then(() => {
      answered = true;
    });
    // More turns than the calls before it took to be answered.
    await list({});
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    return answered;
  }

  it('are listed with those below it, and found by the words of their titles', async () => {
    const top = await bus.submit({ label: 'v2', title: 'Write the notes' });
    const below = await bus.submit({ label: 'v2/docs', title: 'Check 100% of links' });
    const other = await bus.submit({ label: 'v20', title: 'Check the notes' });
    expect(await ids({ label: 'v2' })).toEqual([below, top]);
    expect(await ids({ label: 'v2/docs' })).toEqual([below]);
    expect(await ids({ query: 'NOTES check' })).toEqual([other]);
    expect(await ids({ query: 'notes', label: 'v2' })).toEqual([top]);
    expect(await ids({ query: '100%' })).toEqual([below]);
    expect(await ids({ query: '1_0' })).toEqual([]);
    expect(await list({ label: 'v2' })).toMatchObject({ total: 2, tasks: [{ label: 'v2/docs' }, {}] });
  });

  it('have keys of their own', async () => {
    const asked = { title: 'a', payload: 1, idempotencyKey: 'build' };
    const keys = [{}, { label: 'x' }, { label: 'y' }];
    const first = await Promise.all(keys.map((key) => bus.submit({ ...asked, ...key })));
    expect(new Set(first).size).toBe(3);
    expect(await Promise.all(keys.map((key) => bus.submit({ ...asked, ...key })))).toEqual(first);
    // One that is written as such a key is stored is another all the same.
    const forged = await bus.submit({ ...asked, idempotencyKey: '["x","build"]' });
    expect(first).not.toContain(forged);
  });

  it('are waited for until the last of them is over', async () => {
    const first = await bus.submit({ label: 'v2' });
    await bus.submit({ label: 'v2/docs', dependsOn: [first] });
    const waiting = list({ label: 'v2', waitMs: 50_000 });
    await complete();
    expect(await isAnswered(waiting)).toBe(false);
    await complete();
    expect(await waiting).toMatchObject({ total: 2, tasks: [{ status: 'done' }, { status: 'done' }] });
    expect(await list({ taskId: first, waitMs: 50_000 })).toMatchObject({ tasks: [{ status: 'done' }] });
  });

  // Less than it waits where nothing ends it.
  it('are waited for no longer once what is left can never go on', async () => {
    const outside = await bus.submit();
    const first = await bus.submit({ label: 'v2', dependsOn: [outside] });
    await bus.submit({ label: 'v2', dependsOn: [first] });
    const waiting = list({ label: 'v2', waitMs: 50_000 });
    expect(await isAnswered(waiting)).toBe(false);
    await bus.answer('update_task', { taskId: outside, cancel: 'no more' });
    expect(await waiting).toMatchObject({ tasks: [{ status: 'blocked' }, { status: 'blocked' }] });
  });

  it('are not waited for without a word of which, and a list takes no taskId', async () => {
    const refused = { code: 'NEXUS_INVALID_ARGUMENTS' };
    expect(await bus.refusal('task_status', { waitMs: 1_000 })).toMatchObject(refused);
    expect(await bus.refusal('task_status', { taskId: 'task_a', label: 'v2' })).toMatchObject(refused);
    expect(await bus.refusal('task_status', { taskId: 'task_a', waitMs: 1_000 })).toMatchObject({
      code: 'NEXUS_NOT_FOUND',
    });
  });
});
