import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';

describeOnEach('workers', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus(place);
  });
  afterEach(() => bus.stop());
  const register = (name: string, more = {}) => bus.answer('register_worker', { name, ...more });
  const poll = (worker: string, more = {}) =>
    bus.answer<{ task: { leaseId: string } | null; note?: string; unread: number }>('poll_task', {
      worker,
      ...more,
    });

  it('hold no more tasks than they may, however many polls race, and go on as one ends', async () => {
    await register('ann', { maxTasks: 2 });
    for (let each = 0; each < 5; each += 1) await bus.submit();
    const polls = await Promise.all(Array.from({ length: 5 }, () => poll('ann')));
    const taken = polls.flatMap(({ task }) => task ?? []);
    expect(taken).toHaveLength(2);
    expect((await poll('ann')).note).toContain('"ann" holds 2 tasks');
    const waiting = poll('ann', { waitMs: 50_000 });
    await poll('ben');
    await bus.answer('complete_task', { leaseId: taken[0]?.leaseId, result: 1 });
    expect((await waiting).task).not.toBeNull();
    // What is not said again stays.
    await register('ann', { capabilities: ['rust'] });
    expect((await poll('ann')).task).toBeNull();
  });

  it('get the tasks that are for their name, which no capability passes for', async () => {
    expect(await bus.refusal('register_worker', { name: 'eve', capabilities: ['@ann'] })).toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
    });
    await register('ann');
    const note = await bus.answer('submit_task', { title: 'x', payload: 1, capabilities: ['@ann'] });
    expect(note).not.toHaveProperty('note');
    expect((await poll('eve')).task).toBeNull();
    expect((await poll('ann')).task).not.toBeNull();
  });

  it('of one capability are addressed together', async () => {
    await register('ann', { capabilities: ['docs'] });
    await register('ben', { capabilities: ['docs', 'rust'] });
    await register('eve', { capabilities: ['rust'] });
    const send = (to: string) =>
      bus.answer<{ recipients: string[] }>('send_message', { from: 'ann', to, body: 'hello' });
    expect((await send('*')).recipients).toEqual(['ben', 'eve']);
    expect((await send('*docs')).recipients).toEqual(['ben']);
    expect(await bus.refusal('send_message', { from: 'ann', to: '*go', body: 'x' })).toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      text: expect.stringContaining('with the capability "go"'),
    });
  });

  it('lack what nobody registered for, which is said of the bus and of the task', async () => {
    await register('ann', { capabilities: ['rust'] });
    await bus.submit({ capabilities: ['rust'] });
    const taskId = await bus.submit({ capabilities: ['rust', 'go'] });
    await bus.submit({ capabilities: ['go', 'rust'] });
    await bus.submit({ capabilities: ['@gone'] });
    const unmet = async () => (await bus.answer<{ unmet: object }>('bus_status')).unmet;
    expect(await unmet()).toEqual({
      total: 2,
      items: [
        { needs: ['go', 'rust'], tasks: 2 },
        { needs: ['@gone'], tasks: 1 },
      ],
    });
    expect((await bus.status(taskId)).detail.unmet).toEqual(['go', 'rust']);
    await register('ben', { capabilities: ['go', 'rust'] });
    expect(await unmet()).toMatchObject({ total: 1 });
    expect((await bus.status(taskId)).detail).not.toHaveProperty('unmet');
  });

  it('are told of a message once, by whichever server they poll', async () => {
    const name = randomUUID();
    const one = await startBus({ ...place, options: { name } });
    const two = await startBus({ ...place, dataDir: one.host.dataDir, options: { name } });
    try {
      for (const worker of ['ann', 'ben']) await one.answer('register_worker', { name: worker });
      await one.answer('send_message', { from: 'ben', to: 'ann', body: 'x' });
      const asked = { worker: 'ann', waitMs: 50_000 };
      expect(await one.answer('poll_task', asked)).toMatchObject({ task: null, unread: 1 });
      const waiting = two.answer('poll_task', asked);
      await two.submit();
      expect(await waiting).toMatchObject({ task: { title: 'work' }, unread: 1 });
    } finally {
      await two.stop();
      await one.stop();
    }
  });
});
