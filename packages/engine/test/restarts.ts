import type { RunContext, Runs } from '@nexus/plugin-sdk';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/store/postgres-server';
import { expect } from 'vitest';
import { counterOf, ended, kindOf, newPlace, startEngine } from './engine-under-test.ts';

export const binaries = findPostgres();

const RUNS = 7;
const STEPS = 6;
/** Too large to stand in its step's row. */
const LARGE = 'x'.repeat(20_000);

/** Waits as a model does, with nothing of the record in it. */
const answer = () => new Promise((resolve) => setTimeout(resolve, 30));

/** A run with paid work of its own, work of a child, and answers that are kept apart. */
function kinds(count: ReturnType<typeof counterOf>) {
  const work = async (run: RunContext, name: string) => {
    for (let at = 0; at < STEPS; at += 1) {
      const { large } = await run.step(`call ${at}`, async ({ ledger }) => {
        const reservation = await ledger.reserve({ tokens: 100, costUsd: 0 }, 'a call');
        await answer();
        count.add(`${run.id} ${name} ${at}`);
        await reservation.settle({ tokens: 10, costUsd: 0 });
        return { large: LARGE };
      });
      expect(large).toBe(LARGE);
    }
    return { done: STEPS, large: LARGE };
  };
  const child = kindOf((_: null, run) => work(run, 'child'), { name: 'test.child' });
  const parent = kindOf(
    async (_: null, run) => [await work(run, 'parent'), await run.child('child', child, null)],
    { name: 'test.parent' },
  );
  return { child, parent };
}

/**
 * Takes Postgres away in the middle of runs of two processes, and brings it back. Holds that each run ends well,
 * that no work was done twice, that none was taken from its process, and that the ledger is exact.
 */
export async function restartUnderRuns(
  away: (server: PostgresServer, ahead: (ms: number) => void) => Promise<void>,
) {
  const server = await startPostgres(binaries ?? '');
  try {
    await using data = newPlace(await server.createSchema());
    const count = counterOf();
    const { parent, child } = kinds(count);
    await using one = startEngine(data, [parent, child]);
    await using other = startEngine(data, [parent, child]);
    for (const { engine } of [one, other]) await engine.adopt();
    const start = (runs: Runs, at: number) => runs.start(parent, null, { key: String(at) });
    const started = await Promise.all(
      Array.from({ length: RUNS }, (_, at) => start(at % 2 === 0 ? one.runs : other.runs, at)),
    );
    const waits = started.map(({ id }, at) => ended(at % 2 === 0 ? one.runs : other.runs, id));
    await expect.poll(() => Object.keys(count.all).length).toBeGreaterThan(RUNS);
    await away(server, (ms) => data.ahead(ms));
    // Whoever waits is answered as if nothing had been.
    for (const run of await Promise.all(waits)) {
      expect(run).toMatchObject({ status: 'completed', budget: { spent: { tokens: 2 * STEPS * 10 } } });
      expect(run.budget.reserved.tokens).toBe(0);
    }
    expect(Object.values(count.all)).toEqual(Array.from({ length: RUNS * STEPS * 2 }, () => 1));
    const { on } = await one.engine.open();
    const rows = await on.db.selectFrom('runs_runs').select(['epoch', 'crashes']).execute();
    expect(rows).toEqual(Array.from({ length: 2 * RUNS }, () => ({ epoch: 1, crashes: 0 })));
    for (const [at, { id }] of started.entries()) expect((await start(other.runs, at)).id).toBe(id);
  } finally {
    await server.stop();
  }
}
