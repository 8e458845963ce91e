import { randomUUID } from 'node:crypto';
import type { CallContext, Store } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { fillInbox } from '../../test/fill-inbox.ts';
import { type BusState, busOptions, createBus } from '../bus.ts';
import { fetchInbox } from '../tools/fetch-inbox.ts';
import { registerWorker } from '../workers.ts';

const MESSAGES = 5_000;
const PAGE = 50;

class CutOff extends Error {}

/** Ends whoever asks, before or after the statement of that number. */
function cutter() {
  let moment: { readonly side: 'before' | 'after'; left: number } | undefined;
  const reach = (side: 'before' | 'after') => {
    if (moment?.side !== side) return;
    moment.left -= 1;
    if (moment.left < 0) throw new CutOff();
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      reach('before');
      return node;
    },
    async transformResult({ result }) {
      reach('after');
      return result;
    },
  };
  return {
    plugin,
    set(side: 'before' | 'after', left: number) {
      moment = { side, left };
    },
    clear() {
      moment = undefined;
    },
  };
}

describeOnEach('an inbox of 5 000 messages', (place) => {
  it('is shown whole and in order, to readers cut off before and after every statement', async () => {
    const under = await startBus(place);
    const cut = cutter();
    const { store } = under.host;
    const cutting: Store = {
      ...store,
      open: async <Tables>(...asked: Parameters<Store['open']>) =>
        (await store.open<Tables>(...asked)).withPlugin(cut.plugin),
    };
    const state = createBus(busOptions.parse({ name: randomUUID() }), { ...under.host, store: cutting });
    const bus = await state.open();
    await registerWorker(bus, { name: 'reader', user: undefined });
    await fillInbox(bus, MESSAGES);

    const seen = new Set<number>();
    const sessions: number[][] = [];
    const { signal } = new AbortController();
    const input = fetchInbox.input.parse({ worker: 'reader', limit: PAGE });
    /** What a session is shown by one more answer. */
    const fetch = async (session: ReturnType<typeof scopeOf>): Promise<number[]> => {
      const context = { state, session, signal, host: under.host } as unknown as CallContext<BusState>; // what it uses
      const { messages } = await fetchInbox.call(input, context);
      return messages.map(({ body }) => Number(body));
    };

    const cuts = { before: 0, after: 0 };
    for (const side of ['before', 'after'] as const) {
      for (let moment = 0; ; moment += 1) {
        const session = scopeOf(randomUUID());
        const first = await fetch(session);
        for (const each of first) seen.add(each);
        sessions.push(first);
        cut.set(side, moment);
        // Its session is gone with it: what it was about to show, and what it had not confirmed, come again.
        const isCut = await fetch(session).then(
          () => false,
          (error: unknown) => {
            if (!(error instanceof CutOff)) throw error;
            return true;
          },
        );
        cut.clear();
        if (!isCut) break;
        cuts[side] += 1;
      }
    }
    // Each statement of an answer was a moment to be cut off at.
    expect(cuts.before).toBeGreaterThan(5);
    expect(cuts.after).toBe(cuts.before);
    const last = scopeOf(randomUUID());
    const rest: number[] = [];
    for (let shown = await fetch(last); shown.length > 0; shown = await fetch(last)) rest.push(...shown);
    sessions.push(rest);
    for (const each of rest) seen.add(each);

    expect(seen.size).toBe(MESSAGES);
    for (const shown of sessions) expect(shown).toEqual([...shown].sort((a, b) => a - b));
    // What was confirmed comes to nobody again: only the pages around a cut are shown twice.
    const shownInAll = sessions.reduce((sum, shown) => sum + shown.length, 0);
    expect(shownInAll).toBeLessThanOrEqual(MESSAGES + sessions.length * PAGE);
    await under.stop();
  });
});
