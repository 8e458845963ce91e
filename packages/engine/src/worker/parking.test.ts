import { setTimeout as delay } from 'node:timers/promises';
import { createStore } from '@nexus/store';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { type Ground, machine } from '../ground.ts';
import { leaveRun } from '../record/leaving.ts';

const yes = { action: 'accept' as const };

/** Runs that only wait are parked as soon as anything can be. */
const AT_ONCE = 12_345;
const after: Ground['after'] = (ms, call) => (ms === AT_ONCE ? setImmediate(call) : machine.after(ms, call));
const clear: Ground['clear'] = (timer) => {
  clearImmediate(timer as NodeJS.Immediate | undefined);
  machine.clear(timer);
};
const parking = { parkAfterMs: AT_ONCE, ground: { ...machine, after, clear } };

/** How often a process looks at the record by itself. */
const LOOKS: ReadonlySet<number> = new Set([1_000, 15_000]);

describe.each(databasesByTurns)('a run that is parked as soon as it only waits, on $name', ({ place }) => {
  it('goes from one step to the next beside a question that nobody has answered', async () => {
    await using data = place();
    const done: string[] = [];
    const kind = kindOf((_: null, run) =>
      run.parallel<unknown>([
        () => run.ask('q', { message: 'Go on?' }),
        async () => {
          for (const name of ['a', 'b', 'c', 'd', 'e']) {
            // Long enough that its end is on record before the run is told of it.
            await run.step(name, async () => {
              await delay(25);
              done.push(name);
            });
          }
        },
      ]),
    );
    await using process = startEngine(data, [kind], parking);
    const { id } = await process.runs.start(kind, null);
    await expect.poll(() => done).toEqual(['a', 'b', 'c', 'd', 'e']);
    await process.runs.answer(id, yes);
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed' });
  });

  it('waits no more for the time of a question that was answered before it', async () => {
    await using data = place();
    let isAnswered = false;
    let starts = 0;
    const kind = kindOf(async (_: null, run) => {
      starts += 1;
      await run.ask('q', { message: 'Go on?', timeoutMs: 3_600_000 });
      isAnswered = true;
      // It computes on what it was answered.
      await delay(50);
      return starts;
    });
    const ground = {
      ...parking.ground,
      after: (ms: number, call: () => void) => after(ms === AT_ONCE && !isAnswered ? 3_600_000 : ms, call),
    };
    await using process = startEngine(data, [kind], { ...parking, ground });
    const { id } = await process.runs.start(kind, null);
    await expect.poll(async () => (await process.runs.get(id)).asks?.length).toBe(1);
    await process.runs.answer(id, yes);
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 1 });
  });

  it('goes on when its time comes, though nobody hears that it is parked', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.sleep('short', 2_000));
    const deaf = createStore(data.location);
    const store = { ...deaf, listen: async () => () => {} };
    // No look comes by itself.
    const after: Ground['after'] = (ms, call) => machine.after(LOOKS.has(ms) ? 1e8 : ms, call);
    const ground = { ...machine, after };
    await using process = startEngine(data, [kind], { parkAfterMs: 20, ground, store });
    await process.engine.adopt();
    const { id } = await process.runs.start(kind, null);
    expect(await ended(process.runs, id, 20_000)).toMatchObject({ status: 'completed' });
    await deaf.close();
  });

  it('that waits for nothing on record goes on at once', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.step('one', () => delay(60_000)));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    const { on } = await process.engine.open();
    const row = () =>
      on.db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await expect.poll(async () => (await row()).owner).not.toBeNull();
    const { owner, epoch } = await row();
    const left = leaveRun(on, { runId: id, owner: owner ?? '', epoch }, { status: 'waiting' });
    const wakesAt = await on.write(async (trx) => {
      await trx.deleteFrom('runs_steps').where('run_id', '=', id).execute();
      await left.work(trx);
      return (await trx.selectFrom('runs_runs').select('wake_at').where('id', '=', id).executeTakeFirst())
        ?.wake_at;
    });
    expect(wakesAt).not.toBeNull();
    expect(Number(wakesAt)).toBeLessThanOrEqual(await on.store.readNow(on.db));
  });
});
