import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { busOptions, createBus } from '../bus.ts';
import { endLease } from './end-lease.ts';
import { toLeased } from './task-row.ts';

describeOnEach('a task that is changed', (place) => {
  let bus: BusUnderTest;
  let now: number;
  let name: string;
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    name = randomUUID();
    bus = await startBus({ ...place, testClock: () => now, options: { name, leaseMs: 1_000, backoffMs: 0 } });
  });
  afterEach(() => bus.stop());
  const change = (taskId: string, args: object) => bus.answer('update_task', { taskId, ...args });
  const states = async (taskId: string) =>
    (
      await bus.answer<{ events: { state: string; reason?: string }[] }>('query_task_state', { taskId })
    ).events.map(({ state }) => state);

  it('is nobody’s any more once it is cancelled, and is queued again by retry_task', async () => {
    const taskId = await bus.submit();
    const later = await bus.submit({ dependsOn: [taskId] });
    expect(await change(taskId, { cancel: 'not wanted' })).toEqual({ taskId, status: 'cancelled' });
    expect(await change(taskId, { cancel: 'not wanted' })).toEqual({ taskId, status: 'cancelled' });
    expect(await bus.poll()).toBeUndefined();
    expect((await bus.status(taskId)).detail).toMatchObject({ cancelledWhy: 'not wanted' });
    expect((await bus.status(later)).detail.blockedBy).toEqual([
      { taskId, status: 'cancelled', reason: 'not wanted' },
    ]);
    expect(await states(taskId)).toEqual(['submitted', 'cancelled']);
    expect(await bus.answer('retry_task', { taskId })).toMatchObject({ status: 'queued', isChanged: true });
    expect(await bus.lease()).toMatchObject({ taskId, attempt: 1 });
    expect((await bus.status(taskId)).detail.cancelledWhy).toBeUndefined();
  });

  it('is taken from who works on it once it is cancelled, and late work is refused with the reason', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    await change(taskId, { cancel: 'wrong branch' });
    for (const [tool, args] of [
      ['heartbeat_task', {}],
      ['complete_task', { result: 1 }],
      ['fail_task', { reason: 'x' }],
      ['fail_task', { reason: 'x', to: '*' }],
    ] as const) {
      expect(await bus.refusal(tool, { leaseId, ...args })).toMatchObject({
        code: 'NEXUS_CONFLICT',
        text: expect.stringContaining('cancelled (wrong branch); stop working on it'),
      });
    }
    expect(await states(taskId)).toEqual(['submitted', 'leased', 'cancelled']);
    expect(await bus.answer('bus_status')).toMatchObject({ tasks: { cancelled: 1, leased: 0, dead: 0 } });
  });

  it('is not done by late work once it is cancelled', async () => {
    await bus.answer('register_worker', { name: 'z.ai1', capabilities: ['rust'] });
    const taskId = await bus.submit({ capabilities: ['rust'] });
    const { leaseId } = await bus.lease();
    now += 1_001;
    // Whoever polls finds that the lease ran out; nobody takes the task.
    await bus.poll('z.ai2');
    expect((await bus.status(taskId)).view.status).toBe('queued');
    await change(taskId, { cancel: 'not wanted' });
    expect(await bus.refusal('complete_task', { leaseId, result: 1 })).toMatchObject({
      code: 'NEXUS_CONFLICT',
      text: expect.stringContaining('cancelled (not wanted)'),
    });
  });

  it('that is done stays done, whatever is asked', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    await bus.answer('complete_task', { leaseId, result: 1 });
    const other = await bus.submit();
    for (const args of [{ cancel: 'late' }, { priority: 0 }, { dependsOn: [other] }]) {
      expect(await bus.refusal('update_task', { taskId, ...args, note: 'kept?' })).toMatchObject({
        code: 'NEXUS_CONFLICT',
      });
    }
    // All or nothing: the note went with the rest.
    expect((await bus.status(taskId)).detail.notes).toEqual([]);
  });

  it('comes when its new priority says', async () => {
    await bus.submit();
    const second = await bus.submit();
    await change(second, { priority: 0 });
    expect(await bus.lease()).toMatchObject({ taskId: second, priority: 0 });
  });

  it('waits for what is added, and goes on when that is done', async () => {
    const [first, second] = [await bus.submit(), await bus.submit({ capabilities: ['rust'] })];
    expect(await change(first, { dependsOn: [second] })).toMatchObject({ status: 'blocked' });
    expect(await bus.poll()).toBeUndefined();
    await bus.answer('register_worker', { name: 'z.ai2', capabilities: ['rust'] });
    const { leaseId } = await bus.lease('z.ai2');
    await bus.answer('complete_task', { leaseId, result: 'done first' });
    expect(await bus.lease()).toMatchObject({
      taskId: first,
      dependencies: [{ taskId: second, result: 'done first' }],
    });
    const third = await bus.submit();
    expect(await bus.refusal('update_task', { taskId: first, dependsOn: [third] })).toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
  });

  it('never waits for itself, by however many others, nor for what is not there', async () => {
    const first = await bus.submit();
    const second = await bus.submit({ dependsOn: [first] });
    const third = await bus.submit({ dependsOn: [second] });
    for (const circle of [first, third]) {
      expect(await bus.refusal('update_task', { taskId: first, dependsOn: [circle] })).toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
        text: expect.stringContaining(circle),
      });
    }
    expect(await bus.refusal('update_task', { taskId: first, dependsOn: ['task_none'] })).toMatchObject({
      code: 'NEXUS_NOT_FOUND',
    });
    // Two that each add one half at the same time: one of them is refused.
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async () => [await bus.submit(), await bus.submit()] as const),
    );
    const halves = await Promise.all(
      pairs.flatMap(([a, b]) => [
        bus.call('update_task', { taskId: a, dependsOn: [b] }),
        bus.call('update_task', { taskId: b, dependsOn: [a] }),
      ]),
    );
    expect(halves.filter(({ isError }) => isError)).toHaveLength(pairs.length);
  });

  it('has all of its notes in its status, and tells whoever works on it how many the newest are of', async () => {
    const taskId = await bus.submit();
    for (let at = 0; at < 23; at += 1) await bus.answer('update_task', { taskId, note: `note ${at}` });
    const { detail } = await bus.status(taskId);
    expect(detail.notes).toHaveLength(23);
    type Told = { notes: { text: string }[]; notesTotal?: number };
    const task = (await bus.lease()) as unknown as Told & { leaseId: string };
    expect(task.notes.map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, at) => `note ${at + 3}`),
    );
    expect(task.notesTotal).toBe(23);
    await bus.answer('update_task', { taskId, note: 'late' });
    const told = await bus.answer<Told>('heartbeat_task', { leaseId: task.leaseId });
    expect(told.notes).toHaveLength(20);
    expect(told).toMatchObject({ notesTotal: 24 });
    expect(told.notes.at(-1)).toMatchObject({ text: 'late' });
  });

  it('brings notes and partial work to whoever works on it, now or next', async () => {
    const taskId = await bus.submit();
    await change(taskId, { note: 'before' });
    now += 1;
    const first = await bus.lease();
    expect(first).toMatchObject({ notes: [{ by: 'test', text: 'before' }] });
    await change(taskId, { note: 'use the new API' });
    const { leaseId } = first;
    expect(await bus.answer('heartbeat_task', { leaseId, progress: { files: ['a.ts'] } })).toMatchObject({
      notes: [{ text: 'use the new API' }],
    });
    expect((await bus.status(taskId)).detail.progress).toMatchObject({ by: 'z.ai1' });
    now += 1_001;
    expect(await bus.lease('z.ai2')).toMatchObject({
      taskId,
      attempt: 2,
      progress: { by: 'z.ai1', value: { files: ['a.ts'] } },
      notes: [{ text: 'before' }, { text: 'use the new API' }],
    });
    expect((await states(taskId)).filter((state) => state === 'noted')).toHaveLength(2);
  });

  it('is not handed over by a lease that ran out meanwhile', async () => {
    await bus.submit();
    await bus.lease();
    const opened = await createBus(busOptions.parse({ name }), bus.host).open();
    const row = await opened.db
      .selectFrom('bus_tasks')
      .selectAll()
      .where('bus', '=', name)
      .executeTakeFirstOrThrow();
    const end = { outcome: 'handed', needs: '["@z.ai2"]' } as const;
    const { expiresAt } = toLeased(row);
    expect(await endLease(opened, toLeased(row), { ...end, at: expiresAt })).toBeUndefined();
    expect(await endLease(opened, toLeased(row), { ...end, at: expiresAt - 1 })).toBeDefined();
  });

  it('is handed to one worker or to anyone at no cost of an attempt', async () => {
    const taskId = await bus.submit({ maxAttempts: 1 });
    await bus.answer('register_worker', { name: 'z.ai2' });
    const { leaseId } = await bus.lease();
    expect(await bus.refusal('fail_task', { leaseId, reason: 'x', to: 'nobody' })).toMatchObject({
      code: 'NEXUS_NOT_FOUND',
    });
    const given = { leaseId, reason: 'yours', to: 'z.ai2' };
    const answer = await bus.answer('fail_task', given);
    expect(answer).toMatchObject({ taskId, status: 'queued' });
    expect(await bus.answer('fail_task', given)).toEqual(answer);
    expect(await bus.poll()).toBeUndefined();
    const second = await bus.lease('z.ai2');
    expect(second).toMatchObject({ taskId, attempt: 1 });
    await bus.answer('fail_task', { leaseId: second.leaseId, reason: 'whoever', to: '*' });
    expect(await bus.lease()).toMatchObject({ taskId, attempt: 1 });
    expect(await states(taskId)).toEqual(['submitted', 'leased', 'handed', 'leased', 'handed', 'leased']);
    expect(await bus.refusal('fail_task', { leaseId, reason: 'both', to: '*', retry: false })).toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
    });
  });
});
