import { ToolError } from '@nexus/plugin-sdk';
import { startPostgres } from '@nexus/store/postgres-server';
import { describe, expect, it, vi } from 'vitest';
import { databasesByTurns, kindOf, newPlace, startEngine } from '../../test/engine-under-test.ts';
import { binaries } from '../../test/restarts.ts';
import { type Ground, machine } from '../ground.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { otherOwners } from '../record/workers.ts';
import { createPresence, isPresent, mayBeAlive, mayComeBack } from './presence.ts';

const held = kindOf((_: null, run) =>
  run.step(
    'held',
    ({ signal }) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ),
);

describe.each(databasesByTurns)('a process that has runs, on $name', ({ place }) => {
  it('is given up only by who has seen the store for a while', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on } = await process.engine.open();
    const gone = { owner: 'gone', isRecent: false, isComingBack: false };
    expect(await mayBeAlive(on, gone)).toBe(false);
    expect(await mayBeAlive(on, { ...gone, isComingBack: true })).toBe(true);
    on.interrupted();
    expect(await mayBeAlive(on, gone)).toBe(true);
  });

  it('is left its runs by one that stood still, maybe with the file locked', async () => {
    await using data = place();
    await using living = startEngine(data, [held]);
    const { id } = await living.runs.start(held, null);
    const { on } = await living.engine.open();
    const row = () =>
      on.db.selectFrom('runs_runs').select(['owner', 'epoch']).where('id', '=', id).executeTakeFirst();
    const before = await row();
    let stoodMs = 0;
    const ground = { ...machine, now: () => machine.now() + stoodMs };
    await using stalled = startEngine(data, [held], { ground });
    await stalled.engine.adopt();
    const { on: stalledOn } = await stalled.engine.open();
    data.ahead(31_000);
    stoodMs = 31_000;
    await vi.waitFor(() => expect(stalledOn.steadyMs).toBeLessThan(Number.POSITIVE_INFINITY), 20_000);
    await vi.waitFor(
      async () => expect(await otherOwners(stalledOn, 'stalled')).toMatchObject([{ isRecent: true }]),
      20_000,
    );
    expect(await row()).toEqual(before);
  });
});

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe.each(databasesByTurns)('the name of a process, on $name', ({ place }) => {
  it('stays its own where the store was away for longer than who wanted it waited', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const door = (await process.engine.open()).on.waiting({ forMs: 0 });
    let passedMs = 0;
    let isAway = false;
    const on: RunDatabase = {
      ...door,
      ground: { ...machine, now: () => machine.now() + passedMs },
      get db() {
        if (isAway) throw new ToolError('NEXUS_STORE_UNAVAILABLE', 'The store is away.');
        return door.db;
      },
    };
    const presence = createPresence({ on, log: quiet, isNeeded: () => true, onRenewed: async () => {} });
    const name = await presence.join();
    passedMs = 6_000;
    isAway = true;
    const waiting = await Promise.allSettled([presence.join(), presence.join()]);
    expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await presence.join()).toBe(name);
    await presence.leave();
  });

  it('is one for all who want it first, and asked for anew where none could be had', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on: door } = await process.engine.open();
    let fails = 1;
    const { store } = door;
    const hold: typeof store.hold = async (name) => {
      if (fails-- > 0) throw new Error('no name could be had');
      return store.hold(name);
    };
    const on: RunDatabase = { ...door, store: { ...store, hold } };
    const presence = createPresence({ on, log: quiet, isNeeded: () => true, onRenewed: async () => {} });
    const failed = await Promise.allSettled([presence.join(), presence.join()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const [one, other] = await Promise.all([presence.join(), presence.join()]);
    expect(one).toBe(other);
    expect(await door.db.selectFrom('runs_workers').select('id').execute()).toEqual([{ id: one }]);
    await presence.leave();
  });

  it('is held again at once where its connection broke in the middle of a heartbeat', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on: door } = await process.engine.open();
    let beat = () => {};
    const ground: Ground = {
      ...machine,
      every(_ms, call) {
        beat = call;
        return { unref() {} };
      },
    };
    const holds: AbortController[] = [];
    const hold = async () => {
      const lost = new AbortController();
      holds.push(lost);
      return { lost: lost.signal, release: async () => {} };
    };
    const on: RunDatabase = { ...door, ground, store: { ...door.store, hold } };
    const presence = createPresence({
      on,
      log: quiet,
      isNeeded: () => true,
      onRenewed: async () => holds[0]?.abort(),
    });
    await presence.join();
    beat();
    await vi.waitFor(() => expect(holds).toHaveLength(2));
    await presence.leave();
  });

  it('may come back where its connection broke, and nowhere else', async () => {
    await using data = place();
    await using process = startEngine(data, []);
    const { on } = await process.engine.open();
    const other = { owner: 'other', isRecent: true, isComingBack: false };
    expect(mayComeBack(on, other)).toBe(on.store.dialect === 'postgres');
    expect(mayComeBack(on, { ...other, isRecent: false })).toBe(false);
  });
});

describe.skipIf(!binaries)('a process that has runs while Postgres is away', () => {
  it('keeps them, and is known by its name again', async () => {
    const server = await startPostgres(binaries ?? '');
    try {
      await using data = newPlace(await server.createSchema());
      await using living = startEngine(data, [held]);
      const { id } = await living.runs.start(held, null);
      const { on, worker } = await living.engine.open();
      const owner = await worker.join();
      await server.shutDown();
      await vi.waitFor(() => expect(on.steadyMs).toBeLessThan(Number.POSITIVE_INFINITY), 20_000);
      let letBack = () => {};
      const mayBeBack = new Promise<void>((resolve) => {
        letBack = resolve;
      });
      const { hold } = living.store;
      vi.spyOn(living.store, 'hold').mockImplementation((name) => mayBeBack.then(() => hold(name)));
      data.ahead(60_000);
      await server.restart();
      // Has never known the store to be away, and nobody has said since that they live.
      await using fresh = startEngine(data, [held]);
      const { on: freshOn } = await fresh.engine.open();
      const others = await otherOwners(freshOn, 'fresh');
      expect(others).toMatchObject([{ owner, isRecent: false }]);
      for (const other of others) expect(await mayBeAlive(freshOn, other)).toBe(true);
      letBack();
      await expect.poll(() => isPresent(freshOn, owner), { timeout: 20_000 }).toBe(true);
      const row = await freshOn.db
        .selectFrom('runs_runs')
        .select(['status', 'owner', 'epoch', 'crashes'])
        .where('id', '=', id)
        .executeTakeFirst();
      expect(row).toEqual({ status: 'running', owner, epoch: 1, crashes: 0 });
    } finally {
      await server.stop();
    }
  });

  it('has the store known as interrupted where its connection broke', async () => {
    const server = await startPostgres(binaries ?? '');
    try {
      await using data = newPlace(await server.createSchema());
      await using idle = startEngine(data, [held]);
      const { on } = await idle.engine.open();
      expect(on.steadyMs).toBe(Number.POSITIVE_INFINITY);
      await server.crash();
      await server.restart();
      await vi.waitFor(() => expect(on.steadyMs).toBeLessThan(Number.POSITIVE_INFINITY), 20_000);
    } finally {
      await server.stop();
    }
  });
});
