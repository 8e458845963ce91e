import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRegistry } from '../registry/registry.ts';
import { createRelisting } from './relisting.ts';
import { createSessionScope } from './session-scope.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CLIENT = 'some-host';
const NEVER = new AbortController().signal;

function start(known?: boolean, client = CLIENT) {
  const registry = createRegistry();
  const habits = new Map<string, boolean>(known === undefined ? [] : [[CLIENT, known]]);
  const relisting = createRelisting(registry, {
    looksAgain: (client) => habits.get(client),
    learn: (client, looksAgain) => void habits.set(client, looksAgain),
  });
  const session = createSessionScope({ id: 's' });
  const change = () => {
    const tool = { name: `t${Math.random()}` } as Parameters<typeof registry.setForSession>[2][number];
    registry.setForSession(session, 'toolbox', [tool]);
  };
  return { habits, relisting, session, change, list: () => relisting.listed(session, { name: client }) };
}

/** What it settled as so far. */
function watch(promise: Promise<boolean>) {
  const seen: { as?: boolean } = {};
  void promise.then((as) => {
    seen.as = as;
  });
  return seen;
}

describe('whether a client knows its list of tools', () => {
  it('waits for it to ask for the list that has changed, and a moment more', async () => {
    const { relisting, session, change, list, habits } = start();
    list();
    change();
    const seen = watch(relisting.knowsList(session, NEVER));
    await vi.advanceTimersByTimeAsync(200);
    expect(seen).toEqual({});
    list();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual({});
    await vi.advanceTimersByTimeAsync(250);
    expect(seen).toEqual({ as: true });
    expect(habits.get(CLIENT)).toBe(true);
  });

  it('waits half a second at most, and remembers who does not ask', async () => {
    const { relisting, session, change, list, habits } = start();
    list();
    change();
    const seen = watch(relisting.knowsList(session, NEVER));
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toEqual({ as: false });
    expect(habits.get(CLIENT)).toBe(false);
    change();
    const again = watch(relisting.knowsList(session, NEVER));
    await vi.advanceTimersByTimeAsync(0);
    expect(again).toEqual({ as: false });
  });

  it('learns better of a client that asks later, and forgets nothing for one slow answer', async () => {
    const { relisting, session, change, list, habits } = start(false);
    list();
    change();
    list();
    expect(habits.get(CLIENT)).toBe(true);
    change();
    const seen = watch(relisting.knowsList(session, NEVER));
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toEqual({ as: false });
    expect(habits.get(CLIENT)).toBe(true);
  });

  it.each([
    ['some-host', undefined, false],
    ['some-host', true, true],
    ['claude-code', undefined, true],
    ['claude-code', false, false],
    ['gemini-cli-mcp-client-nexus', true, false],
  ] as const)(
    'knows whether the model of %s, which was seen to ask: %s, sees a list that changes: %s',
    (client, seen, sees) => {
      const registry = createRegistry();
      const relisting = createRelisting(registry, { looksAgain: () => seen, learn: () => {} });
      expect(relisting.seesChanges({ name: client })).toBe(sees);
    },
  );

  it('learns what one user’s client does for that user alone', async () => {
    const { relisting, session, change, habits } = start();
    const [ann, ben] = [
      { name: CLIENT, user: 'ann' },
      { name: CLIENT, user: 'ben' },
    ];
    relisting.listed(session, ann);
    change();
    const seen = watch(relisting.knowsList(session, NEVER));
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toEqual({ as: false });
    change();
    const again = watch(relisting.knowsList(session, NEVER));
    await vi.advanceTimersByTimeAsync(0);
    expect(again).toEqual({ as: false });
    expect([...habits]).toEqual([[`${CLIENT}\nann`, false]]);
    relisting.listed(session, ann);
    expect([ann, ben, { name: CLIENT }].map(relisting.seesChanges)).toEqual([true, false, false]);
  });

  it('does not wait for one whose model is known to see its list late', async () => {
    const { relisting, session, change, list } = start(true, 'gemini-cli-mcp-client-nexus');
    list();
    change();
    expect(await relisting.knowsList(session, NEVER)).toBe(false);
    list();
    expect(await relisting.knowsList(session, NEVER)).toBe(false);
  });

  it('does not wait for one that has asked since, that has never asked, or where nothing changed', async () => {
    const { relisting, session, change, list } = start(true);
    change();
    expect(await relisting.knowsList(session, NEVER)).toBe(true);
    list();
    expect(await relisting.knowsList(session, NEVER)).toBe(true);
    change();
    list();
    expect(await relisting.knowsList(session, NEVER)).toBe(true);
  });

  it('waits no longer once the call has ended, and learns nothing of that', async () => {
    const { relisting, session, change, list, habits } = start();
    list();
    change();
    expect(await relisting.knowsList(session, AbortSignal.abort())).toBe(false);
    expect(habits.size).toBe(0);
  });
});
