import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PluginTestOptions } from '@nexus/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';

const LONG_MS = 3_600_000;

/** Two servers of one project; `here` is gone as soon as it has stopped, in whatever way, and ends no session by that. */
describeOnEach('what a session holds, once its server is gone,', (place) => {
  let now: number;
  let here: BusUnderTest;
  let there: BusUnderTest;
  let isHereGone: boolean;
  let shared: PluginTestOptions & { readonly dataDir: string };
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    isHereGone = false;
    shared = {
      ...place,
      options: { name: crypto.randomUUID(), lookAgainMs: 10 },
      testClock: () => now,
      dataDir: mkdtempSync(join(tmpdir(), 'nexus-bus-')),
    };
    there = await startBus(shared);
    here = await startBus(shared);
    await there.answer('register_worker', { name: 'ann' });
    await there.answer('register_worker', { name: 'ben' });
  });
  afterEach(async () => {
    await loseHere();
    await there.stop();
    rmSync(shared.dataDir, { recursive: true, force: true });
  });

  async function loseHere(): Promise<void> {
    if (isHereGone) return;
    isHereGone = true;
    await here.stop();
  }
  const take = async (outlivesSession = false, timeoutMs = LONG_MS) => {
    const taskId = await here.submit({ timeoutMs });
    const as = { sessionId: 'ann' };
    const { task } = await here.answer<{ task: { taskId: string; leaseId: string } }>(
      'poll_task',
      { worker: 'ann', outlivesSession },
      as,
    );
    await here.answer('reserve_files', { worker: 'ann', globs: ['src/**'], outlivesSession }, as);
    expect(task.taskId).toBe(taskId);
    return task;
  };
  const reserved = async (at = there) =>
    (await at.answer<{ reservations: { total: number } }>('bus_status')).reservations.total;
  /** What Ben gets after a few looks, some of them once the others are done. */
  async function bensTasks(): Promise<string[]> {
    const found: string[] = [];
    for (let look = 0; look < 5; look += 1) {
      const task = await there.poll('ben');
      if (task) found.push(task.taskId);
      await pause(15);
    }
    return found;
  }

  it('goes back after a while, at no cost of an attempt, at the server that is left', async () => {
    const { taskId } = await take();
    await loseHere();
    expect(await bensTasks()).toEqual([]);
    expect(await reserved()).toBe(1);
    now += 9_000;
    expect(await bensTasks()).toEqual([]);
    now += 1_000;
    expect(await bensTasks()).toEqual([taskId]);
    expect(await reserved()).toBe(0);
    expect((await there.status(taskId)).detail.attempts).toMatchObject([
      { worker: 'ann', outcome: 'released', reason: 'the session that held the lease ended' },
    ]);
  });

  it('stays with a session that came to another server, though it calls nothing of the bus, and is shown to it', async () => {
    const { taskId, leaseId } = await take();
    await loseHere();
    const asks = () => there.answer<{ tasks: object[] }>('task_status', { taskId }, { sessionId: 'ann' });
    expect((await asks()).tasks).toMatchObject([{ leaseId }]);
    expect(await bensTasks()).toEqual([]);
    now += 60_000;
    expect(await bensTasks()).toEqual([]);
    expect(await reserved()).toBe(1);
    expect((await asks()).tasks).toMatchObject([{ leaseId }]);
    const end = { leaseId, result: 1 };
    expect(await there.call('complete_task', end, { sessionId: 'ben' })).toMatchObject({ isError: true });
    expect(await there.answer('complete_task', end, { sessionId: 'ann' })).toMatchObject({ status: 'done' });
  });

  it('stays where it outlives its session', async () => {
    await take(true);
    await loseHere();
    await bensTasks();
    now += 60_000;
    expect(await bensTasks()).toEqual([]);
    expect(await reserved()).toBe(1);
  });

  it('stays with a server that is there, and says nothing', async () => {
    await take();
    await bensTasks();
    now += 60_000;
    expect(await bensTasks()).toEqual([]);
    expect(await reserved()).toBe(1);
  });

  it('is seen to be back by who only reads, and at the first look of a server that comes later', async () => {
    await take();
    await loseHere();
    await bensTasks();
    const late = await startBus(shared);
    now += 10_000;
    expect(await reserved(late)).toBe(0);
    await late.stop();
    await there.answer('reserve_files', { worker: 'ben', globs: ['src/**'] }, { sessionId: 'ben' });
    const next = await startBus(shared);
    expect(await reserved(next)).toBe(1);
    await there.stop();
    for (let look = 0; look < 5; look += 1) {
      expect(await reserved(next)).toBe(1);
      await pause(30);
    }
    now += 10_000;
    await expect.poll(() => reserved(next)).toBe(0);
    await next.stop();
  });

  it('goes to a poll that waits', async () => {
    const { taskId } = await take();
    const poll = there.answer('poll_task', { worker: 'ben', waitMs: 50_000 });
    // Its own first look has seen the holder there: those that it makes as it waits have to see that it is not.
    await pause(100);
    await loseHere();
    await pause(100);
    now += 10_000;
    expect(await poll).toMatchObject({ task: { taskId } });
  });

  it('that ran out before has cost its attempt', async () => {
    const { taskId } = await take(false, 5_000);
    await loseHere();
    await bensTasks();
    now += 60_000;
    for (let look = 0; look < 3; look += 1) await reserved();
    expect((await there.status(taskId)).view).toMatchObject({ status: 'expired' });
    await bensTasks();
    expect((await there.status(taskId)).detail.attempts).toMatchObject([{ outcome: 'expired' }]);
  });

  it('is in nobody’s way who reserves the same', async () => {
    await take();
    await loseHere();
    const wanted = { worker: 'ben', globs: ['src/a.ts'] };
    expect(await there.refusal('reserve_files', wanted)).toMatchObject({ code: 'NEXUS_CONFLICT' });
    now += 10_000;
    expect(await there.answer('reserve_files', wanted)).toMatchObject({ globs: ['src/a.ts'] });
  });

  it('is not what a server of the version before gave to others since', async () => {
    const { taskId } = await take();
    await loseHere();
    const db = await there.host.store.open<{ bus_tasks: object; bus_reservations: object }>('bus', []);
    const lease = { lease_id: `lease_${crypto.randomUUID()}`, lease_worker: 'cid' };
    await db
      .updateTable('bus_tasks')
      .set(lease)
      .where('id' as never, '=', taskId as never)
      .execute();
    await db
      .updateTable('bus_reservations')
      .set({ reserved_at: now + 1 })
      .where('worker' as never, '=', 'ann' as never)
      .execute();
    await bensTasks();
    now += 60_000;
    expect(await bensTasks()).toEqual([]);
    expect((await there.status(taskId)).view).toMatchObject({ status: 'leased', worker: 'cid' });
    expect(await reserved()).toBe(1);
  });
});
