import type { Connection } from '@nexus/client';
import { isToolError } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListAddress, OfferedServer } from '../server-address.ts';
import type { Asking, InFlight } from './in-flight.ts';
import { createLeases, type Leases } from './leases.ts';
import type { Link } from './link.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const server = (name: string, { key = 'same', isolation = 'shared' } = {}) =>
  ({
    toolbox: 'box',
    server: name,
    listKey: name,
    connectionKey: key,
    settings: { isolation },
  }) as OfferedServer;

/** A connection that says what was done with it. */
function fakeLink() {
  const said: string[] = [];
  const connection = {
    request: async (method: string) => ({ answered: method }),
    notify: async (method: string) => void said.push(`told ${method}`),
  } as unknown as Connection;
  let closed: Promise<void> | undefined;
  const link = {
    said,
    inFlight: undefined as InFlight | undefined,
    admits: false,
    /** Holds up what closes until it is let go. */
    holdClose() {
      let letGo = () => {};
      closed = new Promise((resolve) => {
        letGo = resolve;
      });
      return () => letGo();
    },
    admitted: () => (link.admits ? connection : undefined),
    async admit(address: ListAddress, connecting: () => Promise<Connection>) {
      said.push(`admits ${address.listKey}`);
      link.admits = true;
      return connecting();
    },
    lists: { read: async (from: unknown, what: string, how: unknown) => [{ from, what, how }] },
    calls: {
      async during(call: InFlight, work: () => Promise<unknown>) {
        link.inFlight = call;
        return work();
      },
    },
    lastError: undefined as string | undefined,
    supervisor: {
      connection: { server: { name: 'its own' } },
      open: async () => {
        said.push('opens');
        return connection;
      },
      connect: async () => {
        said.push('connects');
        return connection;
      },
      connectAgain: async () => {
        said.push('connects again');
        return connection;
      },
      run: async (work: () => Promise<unknown>) => {
        said.push('runs');
        return work();
      },
      async close() {
        said.push('closes');
        await closed;
      },
    },
  };
  return link;
}

interface Made {
  readonly leases: Leases;
  readonly links: ReturnType<typeof fakeLink>[];
  pending: ReadonlySet<string>;
}

function make(): Made {
  const links: ReturnType<typeof fakeLink>[] = [];
  const made: Made = {
    links,
    pending: new Set(),
    leases: createLeases({
      createLink() {
        const link = fakeLink();
        links.push(link);
        return link as unknown as Link;
      },
      isPending: (_, tool) => made.pending.has(tool),
    }),
  };
  return made;
}

const saidBy = ({ links }: Made, at = 0) => links[at]?.said;

describe('connections that are leased', () => {
  it('are one for equal settings, and one for each session where those say so', () => {
    const made = make();
    const { leases, links } = made;
    leases.take(server('a'), 'one');
    leases.take(server('b'), 'two');
    leases.take(server('c', { key: 'other' }), 'one');
    expect(links).toHaveLength(2);
    leases.take(server('a', { isolation: 'session' }), 'one');
    leases.take(server('a', { isolation: 'session' }), 'two');
    leases.take(server('a', { isolation: 'session' }), 'two');
    expect(links).toHaveLength(4);
    expect(leases.all()).toEqual(links);
    expect(leases.find(server('b'), 'whoever')).toBe(links[0]);
    expect(leases.find(server('a', { isolation: 'session' }), 'two')).toBe(links[3]);
    expect(leases.find(server('a', { isolation: 'session' }), 'three')).toBeUndefined();
  });

  it('end ten seconds after the last lease was given back, and not before', () => {
    const made = make();
    const one = made.leases.take(server('a'), 'one');
    const two = made.leases.take(server('a'), 'two');
    one[Symbol.dispose]();
    vi.advanceTimersByTime(60_000);
    expect(saidBy(made)).toEqual([]);
    two[Symbol.dispose]();
    vi.advanceTimersByTime(9_999);
    expect(saidBy(made)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(saidBy(made)).toEqual(['closes']);
    expect(made.leases.all()).toEqual([]);
  });

  it('stay for whoever takes them meanwhile, and keep no process alive', () => {
    const made = make();
    made.leases.take(server('a'), 'one')[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(9_000);
    const again = made.leases.take(server('a'), 'two');
    vi.advanceTimersByTime(60_000);
    expect([made.links.length, saidBy(made)]).toEqual([1, []]);
    again[Symbol.dispose]();
    vi.advanceTimersByTime(10_000);
    expect(saidBy(made)).toEqual(['closes']);
  });

  it('count a lease once, however often it is given back', () => {
    const made = make();
    const one = made.leases.take(server('a'), 'one');
    const two = made.leases.take(server('a'), 'two');
    one.giveUp();
    one.giveUp();
    one[Symbol.dispose]();
    vi.advanceTimersByTime(60_000);
    expect(saidBy(made)).toEqual([]);
    two.giveUp();
    expect(saidBy(made)).toEqual(['closes']);
  });

  it('end at once when the only lease is given up, and only then', () => {
    const made = make();
    const one = made.leases.take(server('a'), 'one');
    const two = made.leases.take(server('a'), 'two');
    one.giveUp();
    expect(saidBy(made)).toEqual([]);
    two.giveUp();
    expect(saidBy(made)).toEqual(['closes']);
    // Who comes now has a new one, which a lease on the old one does not end.
    const three = made.leases.take(server('a'), 'three');
    two.giveUp();
    expect(saidBy(made, 1)).toEqual([]);
    three.giveUp();
    expect(saidBy(made, 1)).toEqual(['closes']);
  });

  it('that are nobody else’s are shared with nobody, and end with their lease', () => {
    const made = make();
    const apart = made.leases.apart(server('a'));
    const other = made.leases.apart(server('a'));
    made.leases.take(server('a'), 'one');
    expect(made.links).toHaveLength(3);
    apart[Symbol.dispose]();
    apart.giveUp();
    expect([saidBy(made, 0), saidBy(made, 1)]).toEqual([['closes'], []]);
    other.giveUp();
    expect(saidBy(made, 1)).toEqual(['closes']);
    expect(made.leases.all()).toHaveLength(1);
  });

  it('end with all, which waits for those that are on the way out, and none stays after it', async () => {
    const made = make();
    const first = made.leases.take(server('a'), 'one');
    made.leases.take(server('b', { key: 'other' }), 'one');
    const letGo = made.links[0]?.holdClose();
    first.giveUp();
    let isOver = false;
    const closing = made.leases.close().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect([saidBy(made, 0), saidBy(made, 1), isOver]).toEqual([['closes'], ['closes'], false]);
    letGo?.();
    await closing;
    made.leases.take(server('a'), 'late');
    expect([saidBy(made, 2), made.leases.all()]).toEqual([['closes'], []]);
  });

  it('leave no timer behind the end', async () => {
    const made = make();
    made.leases.take(server('a'), 'one')[Symbol.dispose]();
    const [late, later] = [
      made.leases.take(server('b', { key: 'b' }), 'one'),
      made.leases.apart(server('c')),
    ];
    await made.leases.close();
    late[Symbol.dispose]();
    later.giveUp();
    vi.advanceTimersByTime(60_000);
    expect(made.links.map(({ said }) => said)).toEqual([['closes'], ['closes'], ['closes']]);
  });
});

describe('why a server could not be reached', () => {
  it('is known from when its connection ends until the next one does, to those who would share it', () => {
    const { leases, links } = make();
    const apart = server('a', { isolation: 'session' });
    expect(leases.lastFailure(apart, 'one')).toBeUndefined();
    leases.take(apart, 'one').giveUp('no such program');
    expect(leases.lastFailure(apart, 'one')).toBe('no such program');
    expect(leases.lastFailure(apart, 'two')).toBeUndefined();
    const again = leases.take(apart, 'one');
    Object.assign(links[1] ?? {}, { lastError: 'it ended' });
    again[Symbol.dispose]();
    vi.advanceTimersByTime(10_000);
    expect(leases.lastFailure(apart, 'one')).toBe('it ended');
    leases.take(apart, 'one').giveUp();
    expect(leases.lastFailure(apart, 'one')).toBeUndefined();
  });

  it('is known of the last thousand', () => {
    const { leases } = make();
    const at = (number: number) => server('a', { key: `key ${number}` });
    for (let number = 0; number < 1_001; number += 1) leases.take(at(number), 'one').giveUp('gone');
    for (let number = 2_000; number < 3_001; number += 1) leases.take(at(number), 'one').giveUp();
    expect([0, 1, 1_000].map((number) => leases.lastFailure(at(number), 'one'))).toEqual([
      undefined,
      'gone',
      'gone',
    ]);
  });
});

describe('a lease', () => {
  it('connects again at once where nothing stands, and leaves alone what does', async () => {
    const made = make();
    const lease = made.leases.take(server('a'), 'one');
    await lease.connectAgain();
    await lease.connectAgain();
    expect(saidBy(made)).toEqual(['admits a', 'connects again']);
  });

  it('passes nothing before its own address was held to its pins', async () => {
    const made = make();
    const lease = made.leases.take(server('a'), 'one');
    expect(lease.isConnected).toBe(false);
    await lease.notify('notifications/x');
    expect(saidBy(made)).toEqual([]);
    expect(await lease.request('resources/list', {}, {} as never)).toEqual({ answered: 'resources/list' });
    expect(saidBy(made)).toEqual(['admits a', 'connects']);
    expect(lease.isConnected).toBe(true);
    await lease.request('resources/list', {}, {} as never);
    await lease.connect();
    await lease.notify('notifications/x');
    expect(saidBy(made)).toEqual(['admits a', 'connects', 'told notifications/x']);
  });

  it('connects whatever was before where its toolbox is opened, and else where nothing stands', async () => {
    const made = make();
    const lease = made.leases.take(server('a'), 'one');
    await lease.connect();
    await lease.open();
    expect(saidBy(made)).toEqual(['admits a', 'connects', 'admits a', 'opens']);
    expect(lease.server).toEqual({ name: 'its own' });
    Object.assign(made.links[0]?.supervisor ?? {}, { connection: undefined });
    expect(lease.server).toBeUndefined();
    expect(lease.address).toMatchObject({ toolbox: 'box', server: 'a' });
    expect(lease.link).toBe(made.links[0]);
  });

  it('calls a tool only where its definition is the pinned one, first or later', async () => {
    const made = make();
    const lease = made.leases.take(server('a'), 'one');
    const call = () => lease.call('t', (connection) => connection.request('tools/call', {}, {} as never));
    made.pending = new Set(['t']);
    // One that must be connected first, and one that is.
    for (let turn = 0; turn < 2; turn += 1) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(isToolError(error) && error.code).toBe('NEXUS_CONFLICT');
      expect(String(error)).toContain('Of box / a: t is held back, since the server changed');
    }
    expect(saidBy(made)).toEqual(['admits a', 'connects']);
    made.pending = new Set(['other']);
    expect(await call()).toEqual({ answered: 'tools/call' });
    expect(saidBy(made)?.at(-1)).toBe('runs');
  });

  it('reads lists of the connection that its address has, or of none', async () => {
    const made = make();
    const lease = made.leases.take(server('a'), 'one');
    const [without] = await lease.list('prompts' as never);
    expect(without).toMatchObject({ from: undefined, what: 'prompts' });
    await lease.connect();
    const [fresh] = await lease.list('prompts' as never, { isFresh: true });
    expect(fresh).toMatchObject({ from: expect.anything(), how: { isFresh: true } });
  });

  it('has what its server asks meanwhile answered by its own session, saying who asks', async () => {
    const made = make();
    const lease = made.leases.take(server('a'), 'one');
    const asked: unknown[] = [];
    const asking: Asking = {
      ask: async (method, params) => {
        asked.push([method, params]);
        return {};
      },
    };
    expect(await lease.during(asking, async () => 'done')).toBe('done');
    const holder = made.links[0]?.inFlight;
    expect(holder?.sessionId).toBe('one');
    await holder?.asking.ask('elicitation/create', { message: 'Who?' });
    expect(asked).toEqual([['elicitation/create', { message: 'box/a asks: Who?' }]]);
  });
});
