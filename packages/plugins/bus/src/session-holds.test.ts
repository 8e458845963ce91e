import type { CallContext } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';
import { busOptions, createBus } from './bus.ts';
import { completeTask } from './tools/complete-task.ts';
import { pollTask } from './tools/poll-task.ts';
import { releaseFiles } from './tools/release-files.ts';
import { reserveFiles } from './tools/reserve-files.ts';
import { resetWorker } from './tools/reset-worker.ts';

describeOnEach('what a session holds', (place) => {
  let bus: BusUnderTest;
  let name: string;
  beforeEach(async () => {
    name = crypto.randomUUID();
    // All within one millisecond: nothing may rest on times that differ.
    bus = await startBus({ ...place, options: { name }, testClock: () => Date.UTC(2030, 0, 1) });
    await bus.answer('register_worker', { name: 'ann' });
  });
  afterEach(() => bus.stop());

  /** A session that polls and reserves as the tools do, and ends when the test says so. */
  async function session(how: { client?: string; run?: boolean } = {}) {
    const scope = scopeOf(crypto.randomUUID());
    const state = createBus(busOptions.parse({ name }), bus.host);
    const context = {
      ...{ state, session: scope, client: { name: how.client ?? 'host', version: '1' } },
      ...{ signal: new AbortController().signal, deadline: Date.now() + 60_000 },
      ...{ host: bus.host },
      ...(how.run ? { run: { id: 'run', step: 'step' } } : {}),
    } as unknown as CallContext<typeof state>;
    return {
      poll: (outlivesSession = false) =>
        pollTask.call({ worker: 'ann', waitMs: 0, outlivesSession }, context),
      reserve: (outlivesSession = false) =>
        reserveFiles.call(
          { worker: 'ann', globs: ['src/**'], exclusive: true, ttlMs: 60_000, outlivesSession },
          context,
        ),
      complete: (leaseId = '') => completeTask.call({ leaseId, result: 1 }, context),
      release: () => releaseFiles.call({ worker: 'ann', globs: ['src/**'] }, context),
      end: () => scope.end(),
    };
  }
  const reserved = async () =>
    (await bus.answer<{ reservations: { total: number } }>('bus_status')).reservations.total;

  it('goes back when it ends, at no cost of an attempt', async () => {
    const taskId = await bus.submit();
    const ann = await session();
    expect(await ann.poll()).toMatchObject({ task: { taskId } });
    await ann.reserve();
    expect(await bus.poll('ben')).toBeUndefined();
    await ann.end();
    expect(await bus.poll('ben')).toMatchObject({ taskId, attempt: 1 });
    expect(await reserved()).toBe(0);
  });

  it.each([
    ['it said so', {}, true],
    ['it is a command', { client: 'nexus-cli' }, false],
    ['it is a run', { run: true }, false],
  ] as const)('stays where %s', async (_, how, outlivesSession) => {
    const taskId = await bus.submit();
    const ann = await session(how);
    expect(await ann.poll(outlivesSession)).toMatchObject({ task: { taskId } });
    await ann.reserve(outlivesSession);
    await ann.end();
    expect((await bus.status(taskId)).view).toMatchObject({ status: 'leased', worker: 'ann' });
    expect(await reserved()).toBe(1);
  });

  it.each([
    ['a command', { client: 'nexus-cli' }],
    ['a run', { run: true }],
  ] as const)('is ended by the next step of %s, which is another session, and by no host', async (_, how) => {
    const taskId = await bus.submit();
    const { task } = await (await session(how)).poll();
    const end = (await session()).complete(task?.leaseId);
    await expect(end).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(await (await session(how)).complete(task?.leaseId)).toMatchObject({ taskId });
  });

  it('is not what another session of the worker reserved again', async () => {
    const first = await session();
    const second = await session();
    await first.reserve();
    await second.reserve();
    await first.end();
    expect(await reserved()).toBe(1);
    const others = { worker: 'ben', globs: ['src/a.ts'] };
    await bus.answer('register_worker', { name: 'ben' });
    expect(await bus.refusal('reserve_files', others)).toMatchObject({ code: 'NEXUS_CONFLICT' });
    await second.end();
    expect(await reserved()).toBe(0);
  });

  it('is not what it released, and another session reserved', async () => {
    const first = await session();
    const second = await session();
    await first.reserve();
    await first.release();
    await second.reserve();
    await first.end();
    expect(await reserved()).toBe(1);
  });

  it('is not what it reserved once more, to outlive it, and another session reserved since', async () => {
    const first = await session();
    const second = await session();
    await first.reserve();
    await first.reserve(true);
    await second.release();
    await second.reserve();
    await first.end();
    expect(await reserved()).toBe(1);
  });

  it.each([
    ['outlives it', [false, true], 1],
    ['ends with it', [true, false], 0],
  ] as const)('follows the last reservation: what then %s', async (_, [before, after], left) => {
    const ann = await session();
    await ann.reserve(before);
    await ann.reserve(after);
    await ann.end();
    expect(await reserved()).toBe(left);
  });

  it('lets late work count: the session may have been cut off', async () => {
    await bus.submit();
    const ann = await session();
    const { task } = await ann.poll();
    await ann.end();
    // By the next session of who was cut off, which says who it is.
    await bus.answer('register_worker', { name: 'ann' }, { sessionId: 'next' });
    const late = { leaseId: task?.leaseId, result: 1 };
    expect(await bus.answer('complete_task', late, { sessionId: 'next' })).toMatchObject({ late: true });
  });

  it('is shown to it alone by its id', async () => {
    const taskId = await bus.submit();
    const asks = (sessionId: string) =>
      bus.answer<{ tasks: object[] }>('task_status', { taskId }, { sessionId });
    const { task } = await bus.answer<{ task: { leaseId: string } }>(
      'poll_task',
      { worker: 'ann' },
      { sessionId: 'ann' },
    );
    expect((await asks('ann')).tasks).toMatchObject([{ leaseId: task.leaseId }]);
    expect(JSON.stringify(await asks('other'))).not.toContain(task.leaseId);
    const lists = [
      await bus.answer('bus_status', {}, { sessionId: 'other' }),
      await bus.answer('task_status', {}, { sessionId: 'other' }),
    ];
    expect(JSON.stringify(lists)).not.toContain(task.leaseId);
  });

  it('is a name of its own: a second session under it is told, and no new name gets another’s', async () => {
    const poll = (worker: string, sessionId: string) =>
      bus.answer<{ note?: string }>('poll_task', { worker }, { sessionId });
    expect((await poll('builder', 'one')).note).toBe(
      '"builder" was no worker before, and is registered now, without capabilities.',
    );
    expect(await poll('builder', 'one')).not.toHaveProperty('note');
    expect((await poll('builder', 'two')).note).toContain('Another session polls as "builder"');
    expect((await poll('buidler', 'three')).note).not.toContain('builder"');
    for (const [tool, args] of [
      ['fetch_inbox', { worker: 'bulider' }],
      ['reserve_files', { worker: 'bulider', globs: ['a'] }],
      ['send_message', { from: 'bulider', to: 'ann', body: 'hi' }],
    ] as const) {
      const { code, text } = await bus.refusal(tool, args);
      expect({ code, names: /builder|buidler/.test(text) }).toEqual({
        code: 'NEXUS_NOT_FOUND',
        names: false,
      });
    }
    const to = await bus.refusal('send_message', { from: 'ann', to: 'bulider', body: 'hi' });
    expect(to.text).toContain('Did you mean');
  });

  it('goes back, too, when its worker is taken off the bus with its messages', async () => {
    const taskId = await bus.submit();
    await bus.lease('ben');
    await bus.answer('send_message', { from: 'ann', to: 'ben', body: 'hello' });
    expect(resetWorker.annotations).toMatchObject({ destructiveHint: true });
    const off = { worker: 'ben', unregister: true };
    expect(await bus.answer('reset_worker', off)).toMatchObject({
      returnedTasks: [taskId],
      unregistered: true,
    });
    expect(await bus.answer('reset_worker', off)).toMatchObject({ unregistered: false });
    expect(await bus.refusal('fetch_inbox', { worker: 'ben' })).toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    expect(await bus.answer('poll_task', { worker: 'ben' })).toMatchObject({ task: { taskId }, unread: 0 });
  });
});
