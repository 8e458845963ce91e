import { ANSWER_MS, endsWithin } from '@nexus/core';
import { ToolError } from '@nexus/plugin-sdk';
import { collectLog } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { open, stdioSettings } from '../../test/stdio-fixture.ts';
import { AuthorizationError } from '../auth/authorization-error.ts';
import type { Connection, Ending } from '../connection.ts';
import { ConnectionError } from '../connection-error.ts';
import { type Supervisor, supervise } from './supervise.ts';

const DEATH: Ending = { reason: 'exited with code 1', exitCode: 1, stderrTail: 'no licence' };

/** A connection that ends when the test says so: time is faked, and no process would keep to it. */
function mortal(): Connection & { die(ending?: Ending): void } {
  let die: (ending?: Ending) => void = () => {};
  const closed = new Promise<Ending>((resolve) => {
    die = (ending = DEATH) => resolve(ending);
  });
  return {
    server: { protocolVersion: '2025-11-25', serverInfo: {}, capabilities: {} },
    pid: undefined,
    request: async () => ({}),
    notify: async () => {},
    list: async () => [],
    closed,
    close: async () => die({ reason: 'was closed' }),
    die,
  };
}

function supervised(dial: (signal: AbortSignal) => Promise<Connection>) {
  const states: string[] = [];
  const supervisor = supervise({
    serverName: 'fixture',
    dial,
    log: collectLog().log,
    onState: (state) => states.push(state),
  });
  return { supervisor, states };
}

/** One whose every start succeeds. */
function living() {
  const connections: ReturnType<typeof mortal>[] = [];
  const made = supervised(async () => {
    const connection = mortal();
    connections.push(connection);
    return connection;
  });
  return { ...made, connections };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
const unsent = (message: RegExp) =>
  expect.objectContaining({ isUnsent: true, message: expect.stringMatching(message) });

describe('a supervised server', () => {
  it('is connected once for all who ask at the same time', async () => {
    const connection = mortal();
    const dial = vi.fn(async () => connection);
    const { supervisor, states } = supervised(dial);
    const all = await Promise.all([supervisor.connect(), supervisor.open(), supervisor.connect()]);
    expect(new Set(all)).toEqual(new Set([connection]));
    expect(dial).toHaveBeenCalledTimes(1);
    expect(states).toEqual(['connecting', 'ready']);
  });

  it('that does not start is failed, and tried again only by one who opens it', async () => {
    const error = new ConnectionError('fixture', DEATH);
    const dial = vi.fn<() => Promise<Connection>>().mockRejectedValue(error);
    const { supervisor } = supervised(dial);
    await expect(supervisor.open()).rejects.toBe(error);
    expect(supervisor.state).toBe('failed');
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(supervisor.connect()).rejects.toEqual(
      unsent(/exited with code 1; opening its toolbox.*no licence/s),
    );
    expect(dial).toHaveBeenCalledTimes(1);
    dial.mockResolvedValue(mortal());
    await supervisor.open();
    expect(supervisor).toMatchObject({ state: 'ready', lastError: undefined });
  });

  it('is restarted at once after its first death, and a call waits for that', async () => {
    const { supervisor, states, connections } = living();
    await supervisor.open();
    connections[0]?.die();
    await settle();
    expect(await supervisor.connect()).toBe(connections[1]);
    expect(states).toEqual(['connecting', 'ready', 'restarting', 'ready']);
    expect(supervisor.restarts).toBe(1);
  });

  it('that dies again is restarted after longer and longer, and calls fail at once meanwhile', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const dialled: number[] = [];
    const dial = async () => {
      dialled.push(Date.now());
      const connection = mortal();
      if (dialled.length > 1) setTimeout(() => connection.die(), 1);
      return connection;
    };
    const { supervisor } = supervised(dial);
    const first = (await supervisor.open()) as ReturnType<typeof mortal>;
    first.die();
    await vi.advanceTimersByTimeAsync(100);
    expect(supervisor.state).toBe('restarting');
    await expect(supervisor.connect()).rejects.toEqual(
      unsent(/Server "fixture" exited with code 1; it is being restarted\. .*no licence/s),
    );
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    const gaps = dialled
      .slice(2)
      .map((at, index) => Math.round((at - Number(dialled[index + 1])) / 100) / 10);
    expect(gaps).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30]);
    expect(supervisor.state).toBe('failed');
    expect(supervisor.lastError).toContain('exited with code 1');
    await expect(supervisor.connect()).rejects.toThrow(/opening its toolbox again/);
  });

  it('that lived a while is restarted at once however often it died', async () => {
    const { supervisor, connections } = living();
    await supervisor.open();
    for (let death = 1; death <= 20; death += 1) {
      await vi.advanceTimersByTimeAsync(20_000);
      connections.at(-1)?.die();
      await settle();
      expect(supervisor).toMatchObject({ state: 'ready', restarts: death });
    }
  });

  it('that waits for its restart is tried at once by one who opens it', async () => {
    const { supervisor, connections } = living();
    await supervisor.open();
    for (const index of [0, 1]) {
      connections[index]?.die();
      await settle();
    }
    expect(supervisor.state).toBe('restarting');
    expect(await supervisor.open()).toBe(connections[2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections).toHaveLength(3);
  });

  it('that wants a person is not tried again by itself', async () => {
    const wanted = new AuthorizationError('wants a person');
    const error = new ConnectionError('fixture', { reason: wanted.message }, { cause: wanted });
    const connection = mortal();
    const dial = vi
      .fn<() => Promise<Connection>>()
      .mockResolvedValueOnce(connection)
      .mockRejectedValue(error);
    const { supervisor } = supervised(dial);
    await supervisor.open();
    connection.die();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(dial).toHaveBeenCalledTimes(2);
    expect(supervisor.state).toBe('failed');
  });

  it('stays closed, whatever it was doing', async () => {
    const late = mortal();
    const close = vi.spyOn(late, 'close');
    const dialling = new Promise<Connection>((resolve) => setTimeout(() => resolve(late), 1000));
    const { supervisor } = supervised(() => dialling);
    const opened = supervisor.open();
    const closing = supervisor.close();
    await vi.advanceTimersByTimeAsync(1000);
    await closing;
    await opened;
    expect(close).toHaveBeenCalled();
    expect(supervisor).toMatchObject({ state: 'idle', connection: undefined });
    await expect(supervisor.open()).rejects.toEqual(unsent(/was closed/));
  });
});

describe('the circuit of a server', () => {
  const timeout = () => Promise.reject(new ToolError('NEXUS_TIMEOUT', 'too slow'));

  async function times(count: number, supervisor: Supervisor, work: () => Promise<unknown>) {
    for (let call = 0; call < count; call += 1) await supervisor.run(work).catch(() => {});
  }

  it('opens after five calls in a row without an answer: the next fail at once, unsent', async () => {
    const { supervisor } = supervised(async () => mortal());
    await times(5, supervisor, timeout);
    const work = vi.fn(async () => 'answer');
    await expect(supervisor.run(work)).rejects.toEqual(
      unsent(/Server "fixture" left 5 calls in a row without an answer; it is tried again every 30 s/),
    );
    expect(work).not.toHaveBeenCalled();
  });

  it('lets one call try after a while, and closes when that is answered', async () => {
    const { supervisor } = supervised(async () => mortal());
    await times(5, supervisor, timeout);
    await vi.advanceTimersByTimeAsync(30_000);
    await times(1, supervisor, timeout);
    await expect(supervisor.run(async () => 'answer')).rejects.toThrow(ConnectionError);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await supervisor.run(async () => 'answer')).toBe('answer');
    expect(await supervisor.run(async () => 'answer')).toBe('answer');
  });

  it('counts a death once, however many calls it cut', async () => {
    const { supervisor } = supervised(async () => mortal());
    /** As many as are in flight fail with one ending, or each with its own, as those of an HTTP server. */
    const die = async (isOneEnding: boolean) => {
      const ending = new ConnectionError('fixture', DEATH);
      const dead = new AbortController();
      const cut = Array.from({ length: 8 }, () =>
        supervisor.run(async () => {
          await new Promise((resolve) => dead.signal.addEventListener('abort', resolve));
          throw isOneEnding ? ending : new ConnectionError('fixture', DEATH);
        }),
      );
      dead.abort();
      await Promise.allSettled(cut);
    };
    for (const isOneEnding of [true, false, true, false]) await die(isOneEnding);
    expect(supervisor.leftAlone).toBeUndefined();
    await die(true);
    expect(supervisor.leftAlone).toMatch(
      /^left 5 calls in a row without an answer, and none is sent before 20/,
    );
  });

  it('begins to count anew after an answer', async () => {
    const { supervisor } = supervised(async () => mortal());
    for (let round = 0; round < 3; round += 1) {
      await times(4, supervisor, timeout);
      expect(await supervisor.run(async () => 'answer')).toBe('answer');
    }
  });

  it.each([
    ['answers with errors', () => Promise.reject(new Error('an error of the tool'))],
    ['was not sent anything', () => Promise.reject(new ConnectionError('x', DEATH, { isUnsent: true }))],
  ])('stays closed where the server %s', async (_, work) => {
    const { supervisor } = supervised(async () => mortal());
    await times(20, supervisor, work);
    expect(await supervisor.run(async () => 'answer')).toBe('answer');
  });
});

describe('a supervised process', () => {
  it('that dies in the middle of a call is there again for the next', async () => {
    vi.useRealTimers();
    const { supervisor } = supervised(async (signal) => (await open(stdioSettings(), { signal })).connection);
    const first = await supervisor.open();
    await expect(
      first.request('tools/call', { name: 'die' }, { signal: endsWithin(ANSWER_MS) }),
    ).rejects.toThrow('exited with code 7');
    await vi.waitFor(() => expect(supervisor.restarts).toBe(1));
    const second = await supervisor.connect();
    expect(second.pid).not.toBe(first.pid);
    expect(
      await second.request('tools/call', { name: 'echo', arguments: {} }, { signal: endsWithin(ANSWER_MS) }),
    ).toHaveProperty('content');
    await supervisor.close();
  });
});

it('dials again after a connection that was closed before its dial settled', async () => {
  const connections: ReturnType<typeof mortal>[] = [];
  const { supervisor } = supervised(async () => {
    const connection = mortal();
    connections.push(connection);
    if (connections.length === 1) connection.die();
    return connection;
  });
  await supervisor.open();
  await settle();
  expect(connections).toHaveLength(2);
  expect(supervisor.state).toBe('ready');
  expect(supervisor.connection).toBe(connections[1]);
});
