import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

describeOnEach('a lease', (place) => {
  let bus: BusUnderTest;
  let now: number;
  let leaseId: string;
  let taskId: string;
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    bus = await startBus({ ...place, testClock: () => now });
    taskId = await bus.submit();
    await bus.answer('register_worker', { name: 'ben' }, as('ben'));
    ({ leaseId } = await poll('ann', 'ann'));
  });
  afterEach(() => bus.stop());

  const as = (sessionId: string) => ({ sessionId });
  async function poll(worker: string, sessionId: string) {
    const given = { worker, outlivesSession: true };
    const { task } = await bus.answer<{ task: { leaseId: string } }>('poll_task', given, as(sessionId));
    return task;
  }
  const ends = () =>
    [
      ['ack_task', { leaseId }],
      ['heartbeat_task', { leaseId, progress: 'mine' }],
      ['complete_task', { leaseId, result: 'mine' }],
      ['fail_task', { leaseId, reason: 'mine' }],
      ['fail_task', { leaseId, reason: 'mine', to: 'ben' }],
    ] as const;
  async function refusalsOf(sessionId: string) {
    const results = await Promise.all(ends().map(([name, args]) => bus.call(name, args, as(sessionId))));
    return results.map(({ _meta, content }) => {
      const { code, detail } = (_meta?.['nexus/error'] ?? {}) as { code?: string; detail?: object };
      return { code, detail, text: content[0]?.text };
    });
  }
  const status = async () => (await bus.status(taskId)).view;

  it('is ended and extended by nobody else who has its id, and says whose it is', async () => {
    for (const { code, detail, text } of await refusalsOf('ben')) {
      expect({ code, detail }).toMatchObject({ code: 'NEXUS_CONFLICT', detail: { taskId, holder: 'ann' } });
      expect(text).toContain('is worker "ann"’s');
      expect(text).toContain('register_worker');
    }
    expect(await status()).toMatchObject({ status: 'leased', worker: 'ann' });
    expect((await bus.status(taskId)).detail).not.toHaveProperty('progress');
    expect(await bus.answer('complete_task', { leaseId, result: 1 }, as('ann'))).toMatchObject({ taskId });
  });

  it('is as little another’s once it is over, and nobody has taken the task', async () => {
    now += 400_000;
    for (const { code } of await refusalsOf('ben')) expect(code).toBe('NEXUS_CONFLICT');
    expect(await status()).toMatchObject({ status: 'expired' });
    const late = { leaseId, result: 1 };
    expect(await bus.answer('complete_task', late, as('ann'))).toMatchObject({ late: true });
  });

  it.each([
    ['polled', () => poll('ann', 'again')],
    ['registered', () => bus.answer('register_worker', { name: 'ann' }, as('again'))],
  ])('is that of a worker’s next session, too, which %s under its name', async (_, sayWho) => {
    expect((await refusalsOf('again'))[0]).toMatchObject({ code: 'NEXUS_CONFLICT' });
    await sayWho();
    expect(await bus.answer('heartbeat_task', { leaseId }, as('again'))).toMatchObject({ taskId });
    expect(await bus.answer('complete_task', { leaseId, result: 1 }, as('again'))).toMatchObject({ taskId });
  });
});
