import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

describeOnEach('leases', (place) => {
  let bus: BusUnderTest;
  let now: number;

  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    bus = await startBus({
      ...place,
      testClock: () => now,
      options: { leaseMs: 1_000, backoffMs: 100, maxBackoffMs: 150 },
    });
  });

  afterEach(() => bus.stop());

  const later = (ms: number) => {
    now += ms;
  };

  it('give a task to one worker at a time', async () => {
    await bus.submit();
    expect(await bus.poll('z.ai1')).toBeDefined();
    expect(await bus.poll('z.ai2')).toBeUndefined();
  });

  it('bring a task back after they ran out and a pause', async () => {
    const taskId = await bus.submit({ payload: { file: 'a.ts' } });
    await bus.lease('killed');
    later(1_001);
    expect(await bus.poll('z.ai2')).toBeUndefined();
    later(100);
    expect(await bus.poll('z.ai2')).toMatchObject({ taskId, attempt: 2, payload: { file: 'a.ts' } });
  });

  it('are extended by a heartbeat, again and again', async () => {
    await bus.submit();
    const { leaseId } = await bus.lease();
    for (const _ of [1, 2, 3]) {
      later(900);
      await bus.answer('heartbeat_task', { leaseId });
    }
    expect(await bus.poll('z.ai2')).toBeUndefined();
    await bus.answer('complete_task', { leaseId, result: 'late, but alive' });
  });

  it('last as long as the task says', async () => {
    await bus.submit({ timeoutMs: 5_000 });
    const { leaseId } = await bus.lease();
    later(4_900);
    await bus.answer('ack_task', { leaseId });
    later(101);
    expect(await bus.refusal('heartbeat_task', { leaseId })).toMatchObject({ code: 'NEXUS_CONFLICT' });
  });

  it.each([
    ['complete_task', { result: 1 }],
    ['fail_task', { reason: 'late' }],
    ['heartbeat_task', {}],
    ['ack_task', {}],
  ])('refuse %s of the old holder and name the new one', async (tool, args) => {
    const taskId = await bus.submit();
    const old = await bus.lease('z.ai1');
    later(1_200);
    await bus.poll('z.ai2');
    later(100);
    const present = (await bus.poll('z.ai2')) ?? (await bus.status(taskId)).view;
    expect(present).toMatchObject({ taskId });
    const { code, text } = await bus.refusal(tool, { leaseId: old.leaseId, ...args });
    expect(code).toBe('NEXUS_CONFLICT');
    expect(text).toContain('z.ai2 holds the task now');
    expect((await bus.status(taskId)).view).toMatchObject({ status: 'leased', worker: 'z.ai2' });
  });

  it('refuse the old holder although nobody has polled since', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    later(1_001);
    expect((await bus.status(taskId)).view).toMatchObject({ status: 'expired' });
    const { code, text } = await bus.refusal('heartbeat_task', { leaseId });
    expect(code).toBe('NEXUS_CONFLICT');
    expect(text).toContain('Nobody holds the task now');
  });

  it.each([{}, { maxAttempts: 1 }])(
    'that ran out let late work count while nobody else has the task, %o',
    async (task) => {
      const taskId = await bus.submit(task);
      const next = await bus.submit({ dependsOn: [taskId] });
      const { leaseId } = await bus.lease();
      later(1_001);
      expect(await bus.poll('z.ai2')).toBeUndefined();
      const late = { taskId, status: 'done', late: true };
      expect(await bus.answer('complete_task', { leaseId, result: 1 })).toEqual(late);
      expect(await bus.answer('complete_task', { leaseId, result: 1 })).toEqual(late);
      const { view, detail } = await bus.status(taskId);
      expect(view).toMatchObject({ status: 'done', attempts: 1 });
      expect(detail).toMatchObject({
        result: 1,
        attempts: [{ outcome: 'done', reason: expect.stringContaining('after its lease was over') }],
      });
      expect(await bus.lease('z.ai2')).toMatchObject({ taskId: next });
    },
  );

  it('that a reset ended let no late work count', async () => {
    await bus.submit();
    const { leaseId } = await bus.lease();
    await bus.answer('reset_worker', { worker: 'z.ai1' });
    expect(await bus.refusal('complete_task', { leaseId, result: 1 })).toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
  });

  it('tell whoever gets the task next how the one before ended, and why', async () => {
    await bus.submit();
    const first = await bus.lease('z.ai1');
    expect(first).not.toHaveProperty('lastAttempt');
    await bus.answer('fail_task', { leaseId: first.leaseId, reason: 'no compiler' });
    later(100);
    const second = await bus.lease('z.ai2');
    expect(second).toMatchObject({
      attempt: 2,
      lastAttempt: { worker: 'z.ai1', outcome: 'failed', reason: 'no compiler' },
    });
    await bus.answer('fail_task', { leaseId: second.leaseId, reason: 'the parser is done', to: 'z.ai1' });
    expect(await bus.lease('z.ai1')).toMatchObject({
      attempt: 2,
      lastAttempt: { worker: 'z.ai2', outcome: 'handed', reason: 'to z.ai1: the parser is done' },
    });
    later(1_150);
    expect(await bus.lease('z.ai1')).toMatchObject({
      lastAttempt: { worker: 'z.ai1', outcome: 'expired', reason: expect.stringContaining('ran out') },
    });
  });

  it('end in a dead letter with the reason of every attempt', async () => {
    const taskId = await bus.submit({ title: 'hopeless' });
    const first = await bus.lease('z.ai1');
    await bus.answer('fail_task', { leaseId: first.leaseId, reason: 'no compiler' });
    later(100);
    await bus.lease('z.ai2');
    later(1_150);
    const third = await bus.lease('z.ai3');
    const last = await bus.answer('fail_task', { leaseId: third.leaseId, reason: 'no disk' });
    expect(last).toEqual({ taskId, status: 'dead' });
    const { view, detail } = await bus.status(taskId);
    expect(view).toMatchObject({ status: 'dead', attempts: 3 });
    expect(detail.attempts).toMatchObject([
      { worker: 'z.ai1', outcome: 'failed', reason: 'no compiler' },
      { worker: 'z.ai2', outcome: 'expired', reason: expect.stringContaining('ran out after 1000 ms') },
      { worker: 'z.ai3', outcome: 'failed', reason: 'no disk' },
    ]);
    expect(await bus.answer('bus_status')).toMatchObject({
      tasks: { dead: 1 },
      deadLetters: { total: 1, items: [{ taskId, title: 'hopeless', attempts: 3, reason: 'no disk' }] },
    });
  });

  it('double the pause with each attempt, up to the limit', async () => {
    await bus.submit({ maxAttempts: 20 });
    const pausesMs = [];
    for (const _ of [1, 2, 3]) {
      const { leaseId } = await bus.lease();
      const { retryAt } = await bus.answer<{ retryAt: string }>('fail_task', { leaseId, reason: 'again' });
      pausesMs.push(Date.parse(retryAt) - now);
      now = Date.parse(retryAt);
    }
    expect(pausesMs).toEqual([100, 150, 150]);
  });

  it('bury a task at once when the worker says that no attempt can help', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    await bus.answer('fail_task', { leaseId, reason: 'not a task', retry: false });
    expect((await bus.status(taskId)).view).toMatchObject({ status: 'dead', attempts: 1 });
  });

  it('keep the first result: the same again is fine, another is a conflict', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    const done = { leaseId, result: { a: 1, b: [2] } };
    const first = await bus.answer('complete_task', done);
    expect(await bus.answer('complete_task', { leaseId, result: { b: [2], a: 1 } })).toEqual(first);
    expect(await bus.refusal('complete_task', { leaseId, result: { a: 2 } })).toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
    expect((await bus.status(taskId)).detail).toMatchObject({ result: { a: 1, b: [2] } });
  });

  it('count a failure once, however often it is told', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    const first = await bus.answer('fail_task', { leaseId, reason: 'flaky' });
    expect(await bus.answer('fail_task', { leaseId, reason: 'flaky' })).toEqual(first);
    expect((await bus.status(taskId)).view).toMatchObject({ attempts: 1 });
    expect(await bus.refusal('fail_task', { leaseId, reason: 'other' })).toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
    expect(await bus.refusal('complete_task', { leaseId, result: 1 })).toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
  });

  it('show when the worker began', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease();
    const first = await bus.answer('ack_task', { leaseId });
    later(10);
    expect(await bus.answer('ack_task', { leaseId })).toEqual(first);
    expect((await bus.status(taskId)).view).toHaveProperty('ackedAt', first.ackedAt);
  });

  it('of a reset worker are void, and its tasks ready at once without an attempt counted', async () => {
    const taskId = await bus.submit();
    const { leaseId } = await bus.lease('z.ai1');
    const reset = await bus.answer('reset_worker', { worker: 'z.ai1' });
    expect(reset).toMatchObject({ returnedTasks: [taskId] });
    expect(await bus.answer('reset_worker', { worker: 'z.ai1' })).toMatchObject({ returnedTasks: [] });
    expect(await bus.poll('z.ai2')).toMatchObject({ taskId, attempt: 1 });
    const { text } = await bus.refusal('complete_task', { leaseId, result: 1 });
    expect(text).toContain('z.ai2 holds the task now');
  });

  it('that never were, are not found; a task id in their place is recognised', async () => {
    const taskId = await bus.submit();
    const unknown = await bus.refusal('heartbeat_task', { leaseId: 'lease_0' });
    expect(unknown).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    const { text } = await bus.refusal('heartbeat_task', { leaseId: taskId });
    expect(text).toContain('this is a task’s id');
    const { text: meant } = await bus.refusal('complete_task', { taskId, result: 'ok' });
    expect(meant).toContain('did you mean leaseId?');
    expect(meant).toContain('in place of what stands in <>: {"leaseId":"<leaseId>","result":"ok"}');
  });
});

describeOnEach('retry_task', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus({ ...place, options: { backoffMs: 3_600_000 } });
  });
  afterEach(() => bus.stop());

  it('counts the attempt that runs and the one that succeeded', async () => {
    const taskId = await bus.submit();
    expect((await bus.status(taskId)).view).toMatchObject({ attempts: 0 });
    const { leaseId } = await bus.lease();
    expect((await bus.status(taskId)).view).toMatchObject({ attempts: 1 });
    await bus.answer('complete_task', { leaseId, result: null });
    expect((await bus.status(taskId)).view).toMatchObject({ attempts: 1 });
  });

  it('gives a dead letter all of its attempts again and keeps the record', async () => {
    const taskId = await bus.submit({ maxAttempts: 1 });
    await bus.answer('fail_task', { leaseId: (await bus.lease()).leaseId, reason: 'first' });
    const retried = await bus.answer('retry_task', { taskId });
    expect(retried).toEqual({ taskId, status: 'queued', isChanged: true });
    expect(await bus.answer('retry_task', { taskId })).toMatchObject({ isChanged: false });
    expect(await bus.poll()).toMatchObject({ taskId, attempt: 1 });
    expect((await bus.status(taskId)).detail.attempts).toMatchObject([{ reason: 'first' }]);
  });

  it('ends the pause of a task that would be retried later', async () => {
    const taskId = await bus.submit();
    await bus.answer('fail_task', { leaseId: (await bus.lease()).leaseId, reason: 'wait' });
    expect(await bus.poll()).toBeUndefined();
    await bus.answer('retry_task', { taskId });
    expect(await bus.poll()).toMatchObject({ taskId, attempt: 2 });
  });

  it('refuses a task that is done, and knows near names', async () => {
    const taskId = await bus.submit();
    await bus.answer('complete_task', { leaseId: (await bus.lease()).leaseId, result: 1 });
    expect(await bus.refusal('retry_task', { taskId })).toMatchObject({ code: 'NEXUS_CONFLICT' });
    const { code, text } = await bus.refusal('retry_task', { taskId: `${taskId}0` });
    expect(code).toBe('NEXUS_NOT_FOUND');
    expect(text).toContain(`Did you mean ${taskId}?`);
  });
});
