import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopeOf } from '@nexus/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';
import { type Bus, busOptions, createBus } from './bus.ts';
import { registerWorker } from './workers.ts';

describeOnEach('a name under which several sessions poll', (place) => {
  let plugin: BusUnderTest;
  let now: number;
  /** Two servers of one bus. */
  let here: Bus;
  let there: Bus;
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    plugin = await startBus({ ...place, testClock: () => now });
    const options = busOptions.parse({ name: randomUUID() });
    [here, there] = [
      await createBus(options, plugin.host).open(),
      await createBus(options, plugin.host).open(),
    ];
    for (const name of ['ann', 'ben']) await registerWorker(here, { name, user: undefined });
  });
  afterEach(() => plugin.stop());

  const session = () => scopeOf(randomUUID());
  const isShared = (bus: Bus, name: string, scope: ReturnType<typeof scopeOf>) =>
    bus.pollers.polls(name, { session: scope, client: { name: 'host', version: '1' }, host: plugin.host });

  it('is shared while another that polled is there, at whichever server', async () => {
    const [one, two, three] = [session(), session(), session()];
    expect(await isShared(here, 'ann', one)).toBe(false);
    expect(await isShared(here, 'ann', one)).toBe(false);
    expect(await isShared(here, 'ben', two)).toBe(false);
    expect(await isShared(there, 'ann', two)).toBe(true);
    // The first is told by its next poll.
    expect(await isShared(here, 'ann', one)).toBe(true);
    expect(await isShared(there, 'ann', two)).toBe(true);
    await two.end();
    expect(await isShared(here, 'ann', three)).toBe(false);
  });

  it('is a session’s that says nothing for however long, and that moved to another server', async () => {
    const moved = session();
    expect(await isShared(here, 'ann', moved)).toBe(false);
    expect(await isShared(there, 'ann', moved)).toBe(false);
    now += 3_600_000;
    expect(await isShared(here, 'ann', session())).toBe(true);
  });

  it('is nobody’s once the server of whoever polled is gone, and he came to no other', async () => {
    const options = { name: randomUUID() };
    const shared = {
      ...place,
      options,
      testClock: () => now,
      dataDir: mkdtempSync(join(tmpdir(), 'nexus-bus-')),
    };
    const [lost, left] = [await startBus(shared), await startBus(shared)];
    const noteOf = async (bus: BusUnderTest, sessionId: string) =>
      (await bus.answer<{ note?: string }>('poll_task', { worker: 'ann' }, { sessionId })).note;
    expect(await noteOf(lost, 'first')).toContain('no worker before');
    await lost.stop();
    expect(await noteOf(left, 'second')).toContain('Another session polls as "ann"');
    now += 10_001;
    // The second is there, and is told of none.
    expect(await noteOf(left, 'third')).toContain('Another session');
    expect(await noteOf(left, 'third')).toBeUndefined();
    await left.stop();
    rmSync(shared.dataDir, { recursive: true, force: true });
  });

  it('is said to be another’s to who registers under it, and to nobody whose name somebody else registered', async () => {
    const register = (name: string, sessionId: string) =>
      plugin.answer<{ note?: string }>('register_worker', { name }, { sessionId });
    expect(await register('cal', 'lead')).not.toHaveProperty('note');
    const polled = () => plugin.answer('poll_task', { worker: 'cal' }, { sessionId: 'cal' });
    expect(await polled()).not.toHaveProperty('note');
    expect((await register('cal', 'other')).note).toContain('Another session polls as "cal"');
    expect(await register('cal', 'cal')).not.toHaveProperty('note');
    expect(await polled()).not.toHaveProperty('note');
  });

  it('keeps one callback of a session however often it polls, and none of one that ended before', async () => {
    const scope = session();
    let kept = 0;
    const onEnd = scope.onEnd.bind(scope);
    scope.onEnd = (release) => {
      kept += 1;
      return onEnd(release);
    };
    for (let turn = 0; turn < 5; turn += 1) {
      await isShared(here, 'ann', scope);
      await isShared(here, 'ann', session());
    }
    // Of the name, and of what is on record of the session.
    expect(kept).toBe(2);
    const gone = session();
    await gone.end();
    await isShared(here, 'ben', gone);
    await expect.poll(() => isShared(here, 'ben', session())).toBe(false);
  });
});
