import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

interface Inbox {
  readonly messages: readonly {
    readonly messageId: string;
    readonly threadId: string;
    readonly body: string;
    readonly state: string;
  }[];
  readonly total: number;
}

describeOnEach('messages', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus(place);
    for (const name of ['ann', 'ben', 'cid']) await bus.answer('register_worker', { name });
  });
  afterEach(() => bus.stop());

  const send = (message: Readonly<Record<string, unknown>>) =>
    bus.answer<{ messageId: string; threadId: string; recipients: string[] }>('send_message', {
      from: 'ann',
      to: 'ben',
      body: 'hello',
      ...message,
    });
  const fetch = (worker: string, options = {}) => bus.answer<Inbox>('fetch_inbox', { worker, ...options });
  const sentState = async () => (await fetch('ann', { view: 'sent' })).messages[0];

  it('pass from queued to delivered to read to acked, which the sender can see', async () => {
    const { messageId } = await send({});
    expect(await sentState()).toMatchObject({ recipients: [{ worker: 'ben', state: 'queued' }] });
    await fetch('ben', { mark: 'delivered' });
    expect(await sentState()).toMatchObject({ recipients: [{ worker: 'ben', state: 'delivered' }] });
    await fetch('ben', { mark: 'read' });
    expect(await sentState()).toMatchObject({ recipients: [{ worker: 'ben', state: 'read' }] });
    await fetch('ben', { ack: [messageId] });
    expect(await sentState()).toMatchObject({ recipients: [{ worker: 'ben', state: 'acked' }] });
  });

  it('come once, in the order they were sent', async () => {
    for (const body of ['one', 'two', 'three']) await send({ body });
    expect((await fetch('ben')).messages.map((each) => each.body)).toEqual(['one', 'two', 'three']);
    expect(await fetch('ben')).toMatchObject({ messages: [], total: 0 });
    expect((await fetch('ben', { view: 'all' })).total).toBe(3);
  });

  it('that require an ack come again until they have it', async () => {
    const { messageId } = await send({ ackRequired: true });
    await send({ body: 'fyi' });
    expect((await fetch('ben')).total).toBe(2);
    expect((await fetch('ben')).messages).toMatchObject([{ messageId, state: 'read', ackRequired: true }]);
    const acked = await fetch('ben', { ack: [messageId] });
    expect(acked).toMatchObject({ messages: [], acked: [messageId] });
    expect(await fetch('ben', { ack: [messageId] })).toMatchObject({ acked: [messageId] });
  });

  it('to everyone reach all others, and each has a state of its own', async () => {
    const { recipients } = await send({ to: '*' });
    expect(recipients).toEqual(['ben', 'cid']);
    await fetch('cid', { mark: 'read' });
    expect(await sentState()).toMatchObject({
      to: '*',
      recipients: [
        { worker: 'ben', state: 'queued' },
        { worker: 'cid', state: 'read' },
      ],
    });
    expect((await fetch('ann')).total).toBe(0);
  });

  it('make threads', async () => {
    const { threadId } = await send({ body: 'question' });
    await send({ body: 'other business' });
    await send({ from: 'ben', to: 'ann', body: 'answer', threadId });
    const thread = await fetch('ann', { threadId });
    expect(thread.messages).toMatchObject([{ body: 'answer', threadId }]);
    expect((await fetch('ben', { threadId })).messages).toMatchObject([{ body: 'question' }]);
    const whole = [{ body: 'question' }, { body: 'answer', recipients: [{ worker: 'ann', state: 'read' }] }];
    await fetch('ann');
    for (const worker of ['ann', 'ben']) {
      expect(await fetch(worker, { view: 'thread', threadId })).toMatchObject({ total: 2, messages: whole });
    }
    expect((await fetch('cid', { view: 'thread', threadId })).messages).toEqual([]);
  });

  it('beyond the limit are counted and wait for the next fetch', async () => {
    for (const body of ['one', 'two', 'three']) await send({ body });
    expect(await fetch('ben', { limit: 2 })).toMatchObject({ total: 3, messages: [{}, {}] });
    expect(await fetch('ben', { limit: 2 })).toMatchObject({ total: 1, messages: [{ body: 'three' }] });
  });

  it('are announced to a worker that polls, and in the status', async () => {
    await send({});
    expect(await bus.answer('poll_task', { worker: 'ben' })).toMatchObject({ unread: 1 });
    const { workers } = await bus.answer<{ workers: { items: unknown[] } }>('bus_status');
    expect(workers.items).toContainEqual(expect.objectContaining({ name: 'ben', unread: 1 }));
  });

  it('can be acknowledged only by whom they reached', async () => {
    const { messageId } = await send({});
    const { code } = await bus.refusal('fetch_inbox', { worker: 'cid', ack: [messageId] });
    expect(code).toBe('NEXUS_NOT_FOUND');
  });

  it('to everyone are refused when there is nobody else', async () => {
    const lonely = await startBus(place);
    await lonely.answer('register_worker', { name: 'ann' });
    const { code } = await lonely.refusal('send_message', { from: 'ann', to: '*', body: 'anyone?' });
    expect(code).toBe('NEXUS_NOT_FOUND');
    await lonely.stop();
  });
});
