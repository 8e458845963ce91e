import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@nexus/store/postgres-server';
import { describe, expect, it, vi } from 'vitest';
import { ended, kindOf, newPlace, startEngine } from '../engine-under-test.ts';
import { binaries, restartUnderRuns } from '../restarts.ts';

describe.skipIf(!binaries)('Postgres that is away for a minute under runs', () => {
  it('costs none of them anything', { timeout: 180_000 }, () =>
    restartUnderRuns(async (server) => {
      await server.shutDown();
      await sleep(60_000);
      await server.restart();
    }),
  );
});

describe.skipIf(!binaries)('Postgres that is restarted under runs', () => {
  it('in good order costs none of them anything', () =>
    restartUnderRuns(async (server) => {
      await server.shutDown();
      await server.restart();
    }));

  it('later than a lease lasts costs none of them anything', () =>
    restartUnderRuns(async (server, ahead) => {
      await server.shutDown();
      ahead(60_000);
      await server.restart();
    }));

  it('does not keep a process that ends, whose runs the next one goes on with', async () => {
    const server = await startPostgres(binaries ?? '');
    try {
      await using data = newPlace(await server.createSchema());
      const kind = kindOf(async (_: null, run) =>
        run.step('held', ({ signal, attempt }) =>
          attempt > 1 ? attempt : new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
        ),
      );
      const before = startEngine(data, [kind]);
      const { id } = await before.runs.start(kind, null);
      await expect.poll(async () => (await before.runs.get(id)).steps).toHaveLength(1);
      await server.shutDown();
      before.end();
      await before.engine.stop(100);
      await before.store.close();
      await server.restart();
      await using next = startEngine(data, [kind]);
      await next.engine.adopt();
      expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: 2 });
    } finally {
      await server.stop();
    }
  });

  it('is waited for by a process that begins meanwhile, which then goes on with what was left', async () => {
    const server = await startPostgres(binaries ?? '');
    try {
      await using data = newPlace(await server.createSchema());
      const kind = kindOf((_: null, run) => run.step('one', () => 1));
      await using before = startEngine(data, []);
      const { id } = await before.runs.start(kind, null);
      await server.shutDown();
      await using next = startEngine(data, [kind]);
      const open = vi.spyOn(next.store, 'open');
      const adopted = next.engine.adopt();
      await vi.waitFor(() => expect(open.mock.calls.length).toBeGreaterThan(1), 20_000);
      await server.restart();
      await adopted;
      expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: 1 });
    } finally {
      await server.stop();
    }
  });
});
