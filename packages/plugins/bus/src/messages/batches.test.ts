import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

interface Inbox {
  readonly messages: readonly {
    readonly messageId: string;
    readonly body: string;
    readonly state: string;
    readonly part?: { readonly from: number; readonly to: number; readonly of: number };
  }[];
  readonly total: number;
  readonly nextCursor?: string;
}

describeOnEach('an inbox', (place) => {
  let bus: BusUnderTest;
  let now: () => number;
  beforeEach(async () => {
    now = Date.now;
    bus = await startBus({ ...place, testClock: () => now() });
    for (const name of ['ann', 'ben']) await bus.answer('register_worker', { name });
  });
  afterEach(() => bus.stop());

  const send = (body: string, options = {}) =>
    bus.answer<{ messageId: string; threadId: string }>('send_message', {
      from: 'ann',
      to: 'ben',
      body,
      ...options,
    });
  const fetch = (options = {}, sessionId = 'one') =>
    bus.answer<Inbox>('fetch_inbox', { worker: 'ben', ...options }, { sessionId });
  const bodies = ({ messages }: Inbox) => messages.map(({ body }) => body);
  const unread = async () => {
    const { workers } = await bus.answer<{ workers: { items: { name: string; unread: number }[] } }>(
      'bus_status',
    );
    return workers.items.find(({ name }) => name === 'ben')?.unread;
  };

  it('marks as read what it showed, once the session asks again', async () => {
    await send('one');
    await fetch();
    expect(await unread()).toBe(1);
    await fetch();
    expect(await unread()).toBe(0);
  });

  it('marks it as read when the session polls for a task', async () => {
    await send('one');
    await fetch();
    expect(await bus.answer('poll_task', { worker: 'ben' }, { sessionId: 'one' })).toMatchObject({
      unread: 0,
    });
  });

  it('gives it again to another session, which may be there because the first died', async () => {
    await send('one');
    expect(bodies(await fetch({}, 'first'))).toEqual(['one']);
    expect(bodies(await fetch({}, 'second'))).toEqual(['one']);
    expect(bodies(await fetch({}, 'second'))).toEqual([]);
    expect(bodies(await fetch({}, 'third'))).toEqual([]);
  });

  it('takes a cursor for the word of any session, and two readers keep nothing from each other', async () => {
    await send('one');
    const first = await fetch({}, 'first');
    await fetch({}, 'second');
    await send('two');
    expect(bodies(await fetch({ cursor: first.nextCursor }, 'third'))).toEqual(['two']);
    expect(await bus.refusal('fetch_inbox', { worker: 'ben', cursor: 'page 2' })).toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
    });
  });

  it('leaves what was asked for as delivered alone, but for its cursor', async () => {
    await send('one');
    await fetch({ mark: 'delivered' });
    const { messages, nextCursor } = await fetch({ mark: 'delivered' });
    expect(messages).toMatchObject([{ body: 'one', state: 'delivered' }]);
    expect(bodies(await fetch({ cursor: nextCursor }))).toEqual([]);
  });

  it('is shown whole: what has no room in an answer comes with the next, and is not read before', async () => {
    for (let each = 0; each < 20; each += 1) await send(`${each} ${'x'.repeat(5_000)}`);
    const seen: string[] = [];
    for (let left = 20; left > 0; ) {
      expect(await unread()).toBe(left);
      const page = await fetch({ mark: 'delivered' });
      expect(page.total).toBe(left);
      expect(2 * JSON.stringify(page).length).toBeLessThan(50_000);
      seen.push(...bodies(page).map((body) => body.split(' ')[0] ?? ''));
      left -= page.messages.length;
      await fetch({ cursor: page.nextCursor, mark: 'delivered' });
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, each) => String(each)));
  });

  it('gives the longest message in parts that make the whole, and is read with the last', async () => {
    const body = `${'\u0001'.repeat(10_000)}${'😀'.repeat(20_000)}${'z'.repeat(10_000)}`;
    await send(body);
    await send('after');
    let whole = '';
    let page = await fetch();
    for (; page.messages[0]?.part; page = await fetch()) {
      const { part, body: text = '' } = page.messages[0] ?? {};
      expect(part).toEqual({ from: whole.length, to: whole.length + text.length, of: body.length });
      expect(text).not.toMatch(/[\ud800-\udbff]$/);
      expect(2 * JSON.stringify(page).length).toBeLessThan(50_000);
      whole += text;
      if (page.messages.length > 1) break;
    }
    expect(whole).toBe(body);
    expect(bodies(page).at(-1)).toBe('after');
    await fetch();
    expect(await unread()).toBe(0);
  });

  it('repeats a part that nobody confirmed', async () => {
    await send('y'.repeat(60_000));
    const first = await fetch({ mark: 'delivered' });
    expect((await fetch({ mark: 'delivered' })).messages).toEqual(first.messages);
    const next = await fetch({ cursor: first.nextCursor, mark: 'delivered' });
    expect(next.messages[0]?.part?.from).toBe(first.messages[0]?.part?.to);
  });

  it('gives urgent ones first, and lets none that lack their ack stand before new ones', async () => {
    for (let each = 0; each < 25; each += 1) await send(`task ${each}`, { ackRequired: true });
    while ((await fetch()).messages.some(({ state }) => state === 'delivered'));
    await send('by the way', { importance: 'low' });
    await send('normal');
    await send('stop', { importance: 'urgent' });
    const page = await fetch();
    expect(bodies(page).slice(0, 4)).toEqual(['stop', 'normal', 'by the way', 'task 0']);
    expect(page).toMatchObject({ total: 28 });
  });

  it('was not shown to a caller who has gone by then', async () => {
    await send('one');
    const caller = new AbortController();
    now = () => {
      caller.abort();
      return Date.now();
    };
    await bus.call('fetch_inbox', { worker: 'ben' }, { sessionId: 'one', signal: caller.signal });
    now = Date.now;
    await vi.waitUntil(async () => (await fetch({ mark: 'delivered' }, 'other')).messages.length > 0);
    expect(bodies(await fetch())).toEqual(['one']);
  });

  it('takes no other worker’s word', async () => {
    await send('one');
    const { nextCursor } = await fetch({ mark: 'delivered' });
    await fetch({ worker: 'ann', cursor: nextCursor });
    expect(await unread()).toBe(1);
    await fetch({ cursor: nextCursor });
    expect(await unread()).toBe(0);
  });

  describe('as a record', () => {
    it('is paged whole, whatever its size, and stays as it is', async () => {
      const texts = ['a'.repeat(50_000), 'b', 'c'.repeat(15_000), 'd'.repeat(15_000)];
      for (const text of texts) await send(text);
      for (const [view, worker, order] of [
        ['all', 'ben', texts],
        ['sent', 'ann', [...texts].reverse()],
      ] as const) {
        let cursor: string | undefined;
        const whole = new Map<string, string>();
        do {
          const page: Inbox = await fetch({ worker, view, ...(cursor === undefined ? {} : { cursor }) });
          expect(page.total).toBe(4);
          expect(2 * JSON.stringify(page).length).toBeLessThan(50_000);
          for (const { messageId, body } of page.messages) {
            whole.set(messageId, (whole.get(messageId) ?? '') + body);
          }
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect([...whole.values()]).toEqual(order);
      }
      expect(await unread()).toBe(4);
    });

    it('refuses a cursor of no page', async () => {
      const { code, text } = await bus.refusal('fetch_inbox', { worker: 'ben', view: 'all', cursor: 'two' });
      expect(code).toBe('NEXUS_INVALID_ARGUMENTS');
      expect(text).toContain('nextCursor');
    });
  });
});
