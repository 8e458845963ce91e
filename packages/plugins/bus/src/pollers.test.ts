import { randomUUID } from 'node:crypto';
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
    bus.pollers.isShared(name, { session: scope, host: plugin.host });

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

  it('is nobody’s a while after its server died, and a session’s that moved to another all along', async () => {
    const moved = session();
    expect(await isShared(here, 'ann', moved)).toBe(false);
    expect(await isShared(there, 'ann', moved)).toBe(false);
    now += 119_000;
    expect(await isShared(here, 'ann', session())).toBe(true);
    now += 121_000;
    expect(await isShared(here, 'ann', session())).toBe(false);
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
    expect(kept).toBe(1);
    const gone = session();
    await gone.end();
    await isShared(here, 'ben', gone);
    await expect.poll(() => isShared(here, 'ben', session())).toBe(false);
  });
});
