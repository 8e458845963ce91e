import type { AnyRunKind } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  databasesByTurns,
  type EngineUnderTest,
  ended,
  kindOf,
  startEngine,
} from '../../test/engine-under-test.ts';
import { type Ground, machine } from '../ground.ts';
import { newRunId } from '../record/creating.ts';
import { whatComes } from '../record/due.ts';
import type { RunDatabase } from '../record/run-database.ts';

/** A run that is held until it is let go, and tells where it is. */
function heldKind() {
  const held: { input: string; release(): void }[] = [];
  const kind = kindOf((input: string, run) =>
    run.step('held', () => new Promise<void>((resolve) => held.push({ input, release: () => resolve() }))),
  );
  return { held, kind };
}

async function startAll(process: EngineUnderTest, kind: AnyRunKind, count: number) {
  const names = Array.from({ length: count }, (_, at) => `${at}`);
  return Promise.all(names.map((name) => process.runs.start(kind, name)));
}

describe.each(databasesByTurns)('as many runs as may go on at a time, on $name', ({ place }) => {
  it('go on in a process; others wait, and what they begin does not', async () => {
    await using data = place();
    const { held, kind } = heldKind();
    const parent = kindOf((_: null, run) => run.child('c', kind, 'child'), { name: 'test.parent' });
    await using process = startEngine(data, [kind, parent], { limits: { runsPerProcess: 2 } });
    await process.engine.adopt();
    await process.runs.start(parent, null);
    const runs = await startAll(process, kind, 3);
    await expect.poll(() => held.length).toBe(2);
    expect(held.map(({ input }) => input)).toContain('child');
    expect(runs.filter(({ status }) => status === 'queued')).toHaveLength(2);
    for (let at = 0; at < 4; at += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(at);
      held[at]?.release();
    }
    for (const run of runs) expect(await ended(process.runs, run)).toMatchObject({ status: 'completed' });
  });

  it('go on in one process, and more in another that has room', async () => {
    await using data = place();
    const [here, there] = [heldKind(), heldKind()];
    const limits = { runsPerProcess: 1 };
    await using one = startEngine(data, [here.kind], { limits });
    await using other = startEngine(data, [there.kind], { limits });
    await Promise.all([one.engine.adopt(), other.engine.adopt()]);
    await other.runs.list({ limit: 1 });
    await startAll(one, here.kind, 2);
    await expect.poll(() => [here.held.length, there.held.length]).toEqual([1, 1]);
  });

  it('go on in a project, whichever process they begin in', async () => {
    await using data = place();
    const { held, kind } = heldKind();
    const limits = { runsPerProject: 2 };
    await using one = startEngine(data, [kind], { limits });
    await using other = startEngine(data, [kind], { limits });
    await Promise.all([one.engine.adopt(), other.engine.adopt()]);
    const runs = (await Promise.all([startAll(one, kind, 3), startAll(other, kind, 3)])).flat();
    expect(runs.filter(({ status }) => status === 'running')).toHaveLength(2);
    for (let at = 0; at < 6; at += 1) {
      await expect.poll(() => held.length, { timeout: 20_000 }).toBeGreaterThan(at);
      expect(held.length).toBeLessThanOrEqual(at + 2);
      held[at]?.release();
    }
    for (const run of runs) expect(await ended(one.runs, run)).toMatchObject({ status: 'completed' });
  });

  it('leave their places to others while they wait', async () => {
    await using data = place();
    const asking = kindOf((_: string, run) => run.ask('q', { message: 'Yes?' }));
    await using process = startEngine(data, [asking], { limits: { runsPerProcess: 1 } });
    await process.engine.adopt();
    const runs = await startAll(process, asking, 3);
    for (const { id } of runs) {
      await expect.poll(async () => (await process.runs.get(id)).asks, { timeout: 20_000 }).toHaveLength(1);
    }
  });

  it('are looked for by few queries while there is no room, however many wait', async () => {
    await using data = place();
    const { held, kind } = heldKind();
    const { ground, delays } = groundThatTells();
    const options = { limits: { runsPerProcess: 1 }, ground };
    await using process = startEngine(data, [kind], options);
    const { on, worker } = await process.engine.open();
    await startAll(process, kind, 2);
    await expect.poll(() => held.length).toBe(1);
    await multiply(on, 1_100);
    delays.length = 0;
    await process.engine.adopt();
    // Its first look is over: the next one is far.
    await expect.poll(() => delays).toContain(15_000);
    await worker.tick();
    using statements = countStatements(on);
    delays.length = 0;
    for (let at = 0; at < 3; at += 1) await worker.tick();
    expect(statements.count).toBeGreaterThan(0);
    expect(statements.count).toBeLessThanOrEqual(3 * MOST_STATEMENTS);
    expect(delays.filter((ms) => ms < 1_000)).toEqual([]);
    held[0]?.release();
  });

  it('are looked for by three statements where there is nothing to do', async () => {
    await using data = place();
    const { ground, delays } = groundThatTells();
    await using process = startEngine(data, [kindOf(async () => {})], { ground });
    const { on } = await process.engine.open();
    using statements = countStatements(on);
    await process.engine.adopt();
    // The look is over: the next one is far.
    await expect.poll(() => delays).toContain(15_000);
    expect(statements.count).toBe(3);
  });

  it('do not delay others where no process knows their kind, however many of them wait', async () => {
    await using data = place();
    const asleep = kindOf((_: null, run) => run.sleep('short', 10_000), { name: 'test.asleep' });
    const gone = kindOf(async () => {}, { name: 'test.gone' });
    const { ground, delays } = groundThatTells();
    await using process = startEngine(data, [asleep], { parkAfterMs: 1, ground });
    const { on, worker } = await process.engine.open();
    await process.engine.adopt();
    const { id } = await process.runs.start(asleep, null);
    await expect.poll(() => worker.has(id)).toBe(false);
    await multiply(on, 1_100, { kind: gone.name, status: 'queued', wake_at: 0, ended_at: null });
    delays.length = 0;
    await worker.tick();
    // The sleep's end, and no later than that.
    expect(delays.filter((ms) => ms <= 0)).toEqual([]);
    expect(delays.filter((ms) => ms <= 10_000)).not.toEqual([]);
    // Nor does one of them that comes due later wake a process that could not take it.
    await on.db
      .updateTable('runs_runs')
      .set({ wake_at: sql<number>`${on.store.now} + 1000000` })
      .where('kind', '=', gone.name)
      .execute();
    const dueIn = async (name: string) =>
      (await whatComes(on, { kinds: [{ name, version: 1 }], self: undefined })).nextInMs;
    expect(await dueIn(gone.name)).toBeGreaterThan(0);
    expect(await dueIn('test.other')).toBeUndefined();
    data.ahead(10_000);
    await worker.tick();
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed' });
  });
});

/** What one look for runs asks of the store at most, where there is nothing to take. */
const MOST_STATEMENTS = 6;

/** The machine's ground, on which whoever waits for a second or more waits until the test says so. */
function groundThatTells() {
  const delays: number[] = [];
  const never = () => machine.after(1e8, () => {});
  const ground: Ground = {
    ...machine,
    every: never,
    after(ms, call) {
      delays.push(ms);
      return ms < 1_000 ? machine.after(ms, call) : never();
    },
  };
  return { ground, delays };
}

/** As many more runs as the one that was started last. */
async function multiply(on: RunDatabase, count: number, change: object = {}): Promise<void> {
  const row = await on.db
    .selectFrom('runs_runs')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('status')
    .limit(1)
    .executeTakeFirstOrThrow();
  for (let at = 0; at < count; at += 100) {
    const rows = Array.from({ length: 100 }, () => {
      const id = newRunId(machine);
      return { ...row, ...change, id, root_id: id, start_key: null };
    });
    await on.db.insertInto('runs_runs').values(rows).execute();
  }
}

function countStatements({ db }: RunDatabase) {
  const executor = db.getExecutor();
  const execute = executor.executeQuery;
  let count = 0;
  executor.executeQuery = (query) => {
    count += 1;
    return execute.call(executor, query) as never;
  };
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]() {
      executor.executeQuery = execute;
    },
  };
}
