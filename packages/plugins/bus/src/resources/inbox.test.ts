import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { busOptions, createBus } from '../bus.ts';
import { inbox } from './inbox.ts';
import { reservations } from './reservations.ts';

describeOnEach('the inbox as a resource', (place) => {
  let bus: BusUnderTest;
  let name: string;
  let updated: string[];
  /** As at a server beside the one whose tools are called. */
  let read: (
    worker: string,
    user?: string,
  ) => Promise<{ total: number; messages: { messageId: string; body: string }[]; next?: string }>;
  beforeEach(async () => {
    updated = [];
    name = randomUUID();
    bus = await startBus({ ...place, options: { name } });
    const events = { resourceUpdated: (uri: string) => void updated.push(uri) };
    const state = createBus(busOptions.parse({ name }), { ...bus.host, events });
    read = async (worker, user) =>
      JSON.parse(
        String(await inbox.read({ worker }, { state, host: bus.host, user, roots: async () => [] })),
      );
    for (const worker of ['ann', 'ben']) await bus.answer('register_worker', { name: worker });
  });
  afterEach(() => bus.stop());
  const send = (to: string) => bus.answer('send_message', { from: 'ben', to, body: 'hello' });
  const changes = (count: number) => vi.waitUntil(() => updated.length >= count, { interval: 5 });

  it('shows what is new and marks nothing', async () => {
    await send('ann');
    for (const _ of [1, 2]) {
      expect(await read('ann')).toMatchObject({ total: 1, messages: [{ body: 'hello', from: 'ben' }] });
    }
  });

  it('says how to go on where not all of it has room, and that way leads to every message', async () => {
    for (const count of [3, 60]) {
      for (let at = 0; at < count; at++) await send('ann');
      const { total, messages, next } = await read('ann');
      if (count === 3) {
        expect([total, messages.length, next]).toEqual([3, 3, undefined]);
        continue;
      }
      expect(messages.length).toBeLessThan(total);
      expect(next).toContain('fetch_inbox with view all lists every message by its nextCursor');
    }
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page: { messages: { messageId: string }[]; nextCursor?: string } = await bus.answer(
        'fetch_inbox',
        {
          ...{ worker: 'ann', view: 'all' },
          ...(cursor === undefined ? {} : { cursor }),
        },
      );
      for (const { messageId } of page.messages) seen.add(messageId);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.size).toBe(63);
    expect(await read('ann')).toMatchObject({ total: 63 });
  });

  it('says so of one message that no answer holds, too', async () => {
    await bus.answer('send_message', { from: 'ben', to: 'ann', body: 'long '.repeat(12_000) });
    const { total, messages, next } = await read('ann');
    expect([total, messages.length]).toEqual([1, 1]);
    expect(next).toContain('Not all has room here.');
  });

  it('is told of when a message comes, when it is read and when it is acknowledged, at every server', async () => {
    await read('ann');
    await send('ann');
    await changes(1);
    const { nextCursor, messages } = await bus.answer<{
      nextCursor: string;
      messages: { messageId: string }[];
    }>('fetch_inbox', { worker: 'ann' });
    await bus.answer('fetch_inbox', { worker: 'ann', cursor: nextCursor });
    await changes(2);
    await bus.answer('fetch_inbox', { worker: 'ann', ack: [messages[0]?.messageId] });
    await changes(3);
    // Nobody has read this one.
    await bus.answer('send_message', { from: 'ann', to: 'ben', body: 'x' });
    await send('ann');
    await changes(4);
    expect(new Set(updated)).toEqual(new Set(['nexus://inbox/ann']));
  });

  it('is there for its own user alone, and says of no other name how it is spelt', async () => {
    await bus.answer('register_worker', { name: 'hers' }, { user: 'alice' });
    await expect(read('hers', 'bob')).rejects.toThrow('You have no inbox "hers".');
    await expect(read('anm')).rejects.toThrow(/^"anm" is not registered\. Call register_worker/);
    expect(await read('hers', 'alice')).toMatchObject({ total: 0 });
  });

  it('lies beside all reservations in force', async () => {
    const globs = Array.from({ length: 45 }, (_, at) => `src/${at}/**`);
    await bus.answer('reserve_files', { worker: 'ann', globs });
    const state = createBus(busOptions.parse({ name }), bus.host);
    const all = JSON.parse(await reservations.read({ state, host: bus.host, roots: async () => [] }));
    expect(all.total).toBe(45);
    expect(all.items).toHaveLength(45);
  });
});
