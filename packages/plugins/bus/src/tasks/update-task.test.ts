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

  it('shows each of its notes once and whole, the newest first, however long they are', async () => {
    const taskId = await bus.submit();
    const texts = Array.from({ length: 60 }, (_, at) => `${at} ${'long '.repeat(at % 2 === 0 ? 1 : 700)}end`);
    for (const note of texts) await bus.answer('update_task', { taskId, note });
    type Page = { notes: { text: string }[]; notesTotal: number; notesNextOffset?: number };
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { detail }: { detail: Page } = await bus.answer('task_status', { taskId, offset });
      expect(detail.notesTotal).toBe(60);
      expect(JSON.stringify(detail.notes).length).toBeLessThan(22_000);
      seen.unshift(...detail.notes.map(({ text }) => text));
      offset = detail.notesNextOffset;
    }
    expect(seen).toEqual(texts);
    const few = await bus.answer<{ detail: Page }>('task_status', { taskId, limit: 2, offset: 1 });
    expect(few.detail).toMatchObject({
      notes: texts.slice(57, 59).map((text) => ({ text })),
      notesNextOffset: 3,
    });
    const told: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const log: { events: { state: string; reason?: string }[]; total: number; nextOffset?: number } =
        await bus.answer('query_task_state', { taskId, offset });
      expect(log.total).toBe(61);
      told.unshift(...log.events.map(({ state, reason }) => reason ?? state));
      offset = log.nextOffset;
    }
    expect(told).toEqual(['submitted', ...texts]);
  });

  it('names as many attempts, and what blocks it, as one answer holds whole, the newest and how many', async () => {
    const taskId = await bus.submit({ maxAttempts: 20 });
    for (let at = 0; at < 10; at += 1) {
      const { leaseId } = await bus.lease();
      await bus.answer('fail_task', { leaseId, reason: `${at} ${'x'.repeat(2_000)}`, to: '*' });
    }
    const { detail } = await bus.status(taskId);
    const attempts = detail.attempts as { reason: string }[];
    expect(attempts.map(({ reason }) => reason.split(' ')[2])).toEqual(['7', '8', '9']);
    expect(detail.attemptsTotal).toBe(10);
    const blockers: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      const blocker = await bus.submit();
      await bus.answer('task_status', { taskId: blocker });
      await bus.answer('update_task', { taskId: blocker, cancel: 'y'.repeat(1_000) });
      blockers.push(blocker);
    }
    const blocked = await bus.status(await bus.submit({ dependsOn: blockers }));
    expect(blocked.detail).toMatchObject({ blockedBy: [{}, {}, {}, {}], blockedByTotal: 6 });
  });

  it('says, whatever left it waiting, that nobody can take it', async () => {
    const needs = ['rust', 'z'];
    const note = (skills: string) =>
      `No registered worker has all of ${skills}: the task waits for one that registers with them.`;
    await bus.answer('register_worker', { name: 'crab', capabilities: needs });
    await bus.answer('register_worker', { name: 'ben' });
    const taskId = await bus.submit({ capabilities: needs, maxAttempts: 1 });
    const taken = async () => (await bus.lease('crab')).leaseId;
    const over = { leaseId: await taken(), reason: 'yours', to: 'ben' };
    expect(await bus.answer('fail_task', over)).toMatchObject({ note: note('@ben, rust, z') });
    expect(await bus.answer('fail_task', over)).toMatchObject({ note: note('@ben, rust, z') });
    expect(await bus.answer('update_task', { taskId, priority: 0 })).toMatchObject({
      note: note('@ben, rust, z'),
    });
    await bus.answer('register_worker', { name: 'ben', capabilities: needs });
    expect(await bus.answer('update_task', { taskId, priority: 1 })).not.toHaveProperty('note');
    const { leaseId } = await bus.lease('ben');
    expect(await bus.answer('fail_task', { leaseId, reason: 'no', to: 'crab' })).not.toHaveProperty('note');
    await bus.answer('fail_task', { leaseId: await taken(), reason: 'dead' });
    await bus.answer('reset_worker', { worker: 'crab', unregister: true });
    expect(await bus.answer('retry_task', { taskId })).toMatchObject({ note: note('@crab, rust, z') });
    expect(await bus.answer('task_status', { taskId })).toMatchObject({
      detail: { unmet: ['@crab', 'rust', 'z'] },
    });
    const others = [
      await bus.submit({ capabilities: ['@ben'] }),
      await bus.submit({ capabilities: ['@ben'] }),
    ];
    for (const _ of others) await bus.lease('ben');
    const all = await bus.answer<{ note: string }>('reset_worker', { worker: 'ben', unregister: true });
    expect(all.note).toMatch(
      /^No registered worker has all of @ben: each of task_\w+, task_\w+ waits for one/,
    );
  });

  it('tells whoever works on it, and its status, how many the newest notes are of', async () => {
    const taskId = await bus.submit();
    for (let at = 0; at < 23; at += 1) await bus.answer('update_task', { taskId, note: `note ${at}` });
    const { detail } = await bus.status(taskId);
    expect(detail.notes).toHaveLength(20);
    expect(detail.notesTotal).toBe(23);
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
