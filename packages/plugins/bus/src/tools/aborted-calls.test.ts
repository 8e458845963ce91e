import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CallContext, Store } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { type Bus, type BusState, busOptions, createBus } from '../bus.ts';
import { findWorker } from '../workers.ts';
import { fetchInbox } from './fetch-inbox.ts';
import { pollTask } from './poll-task.ts';

class Broken extends Error {}

describeOnEach('a call that nobody gets the answer of', (place) => {
  let under: BusUnderTest;
  let state: BusState;
  let bus: Bus;
  /** What happens at the call's statement of that number; others have statements of their own meanwhile. */
  const disturbed = new AsyncLocalStorage<{ left: number; happens: () => void }>();
  beforeEach(async () => {
    const name = randomUUID();
    under = await startBus({ ...place, options: { name } });
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        const at = disturbed.getStore();
        if (at && at.left-- === 0) at.happens();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { store } = under.host;
    const watched: Store = {
      ...store,
      open: async <Tables>(...asked: Parameters<Store['open']>) =>
        (await store.open<Tables>(...asked)).withPlugin(plugin),
    };
    state = createBus(busOptions.parse({ name }), { ...under.host, store: watched });
    bus = await state.open();
    await under.answer('register_worker', { name: 'ann' });
    await under.answer('register_worker', { name: 'ben' });
    await under.answer('send_message', { from: 'ben', to: 'ann', body: 'hello' });
  });
  afterEach(() => under.stop());

  type Tool = { call(input: never, context: never): Promise<unknown> };

  /** Calls the tool once for each statement that it makes, and disturbs it there. @returns how often */
  async function atEachMoment(
    tool: Tool,
    input: object,
    { disturb, check }: { disturb: (caller: AbortController) => void; check: () => Promise<void> },
  ): Promise<number> {
    for (let moment = 0; ; moment += 1) {
      const caller = new AbortController();
      const context = {
        ...{ state, session: scopeOf(randomUUID()), signal: caller.signal, host: under.host },
        ...{ client: { name: 'host', version: '1' }, deadline: Date.now() + 60_000 },
      } as unknown as CallContext<BusState>; // what it uses
      const at = { left: moment, happens: () => disturb(caller) };
      const isAnswered = await disturbed
        .run(at, () => tool.call(input as never, context as never))
        .then(
          () => true,
          () => false,
        );
      if (at.left >= 0) return moment;
      if (!isAnswered || caller.signal.aborted) await check();
    }
  }
  const ways = [
    ['goes', (caller: AbortController) => caller.abort(new Error('the caller went'))],
    [
      'is told of a fault',
      () => {
        throw new Broken();
      },
    ],
  ] as const;

  it.each(ways)(
    'has taken no task, and told of no message, when its caller %s at whichever moment',
    async (_, disturb) => {
      const taskId = await under.submit();
      const input = pollTask.input.parse({ worker: 'ann', outlivesSession: true });
      const moments = await atEachMoment(pollTask as never, input, {
        disturb,
        async check() {
          expect((await under.status(taskId)).view).toMatchObject({ status: 'queued' });
          expect(await findWorker(bus, 'ann')).toMatchObject({ told: 0 });
        },
      });
      expect(moments).toBeGreaterThan(10);
      expect((await under.status(taskId)).view).toMatchObject({ status: 'leased', worker: 'ann' });
    },
  );

  it.each(ways)(
    'has read no message, not even one to be marked at once, when its caller %s',
    async (_, disturb) => {
      const input = fetchInbox.input.parse({ worker: 'ann', mark: 'read' });
      const moments = await atEachMoment(fetchInbox as never, input, {
        disturb,
        async check() {
          const sent = { worker: 'ben', view: 'sent' };
          const { messages } = await under.answer<{ messages: object[] }>('fetch_inbox', sent);
          expect(JSON.stringify(messages)).not.toContain('"read"');
        },
      });
      expect(moments).toBeGreaterThan(5);
    },
  );
});
