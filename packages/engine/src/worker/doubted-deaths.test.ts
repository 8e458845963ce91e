import { afterEach, describe, expect, it, vi } from 'vitest';
import { databasesByTurns, ended, kindOf, type Place, startEngine } from '../../test/engine-under-test.ts';
import { endCrashed, forgetDoubts, freeRunsOf } from '../record/families.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { enrol } from '../record/workers.ts';

/** Held until the test says so, or the run is another's. */
function heldKind() {
  const finish: ((_: unknown) => void)[] = [];
  let isDone = false;
  const kind = kindOf((_: null, run) =>
    run.step(
      'held',
      ({ signal }) =>
        new Promise((resolve, reject) => {
          finish.push(resolve);
          if (isDone) resolve('done');
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    ),
  );
  return {
    kind,
    finish() {
      isDone = true;
      for (const each of finish) each('done');
    },
  };
}

const rowOf = ({ db }: RunDatabase, id: string) =>
  db
    .selectFrom('runs_runs')
    .select(['status', 'owner', 'epoch', 'crashes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const doubts = ({ db }: RunDatabase) => db.selectFrom('runs_doubts').selectAll().execute();

/**
 * A run that processes died with as often, the last of them in doubt, and that nobody has.
 * @param as who died last, where it is not the process itself, which would hear of it and say that it lives
 */
async function leftInDoubt(place: Place, times: number, as?: string) {
  const { kind } = heldKind();
  const other = kindOf((_: null, run) => run.step('one', () => 1), { name: 'test.other' });
  const process = startEngine(place, [kind, other]);
  // Of what others came to nothing is counted.
  await ended(process.runs, await process.runs.start(other, null));
  const { id } = await process.runs.start(kind, null);
  const { on, worker } = await process.engine.open();
  const owner = as ?? (await worker.join());
  if (as !== undefined) await enrol(on, as);
  await on.db
    .updateTable('runs_runs')
    .set({ crashes: times - 1, owner })
    .where('id', '=', id)
    .execute();
  await freeRunsOf(on, owner, { isInDoubt: true });
  return { process, on, id, owner };
}

afterEach(() => void vi.useRealTimers());

describe.each(databasesByTurns)('a process that was taken for dead and lives, on $name', ({ place }) => {
  it('has cost its runs no death, however often', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    const { kind, finish } = heldKind();
    await using living = startEngine(data, [kind]);
    await living.engine.adopt();
    const { id } = await living.runs.start(kind, null);
    const { on } = await living.engine.open();
    for (let time = 1; time <= 3; time += 1) {
      const { owner } = await rowOf(on, id);
      await freeRunsOf(on, owner ?? '', { isInDoubt: true });
      expect(await rowOf(on, id)).toMatchObject({ status: 'queued', crashes: 1 });
      vi.advanceTimersByTime(5_000);
      await expect
        .poll(() => rowOf(on, id))
        .toMatchObject({ status: 'running', crashes: 0, epoch: time + 1 });
    }
    finish();
    expect(await ended(living.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
    expect(await doubts(on)).toEqual([]);
  });

  it('takes back no death from before the run got further', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    const { process, on, id } = await leftInDoubt(data, 1);
    await using _ = process;
    // A step was done since, and another process has died at the next one.
    const done = { run_id: id, name: 'done', kind: 'step', title: '', attempt: 1, is_repeatable: 1 } as const;
    const step = { ...done, status: 'completed', begin_seq: 7, started_at: 1 } as const;
    await on.db
      .insertInto('runs_steps')
      .values(step as never)
      .execute();
    await enrol(on, 'other');
    await on.db
      .updateTable('runs_runs')
      .set({ status: 'running', owner: 'other' })
      .where('id', '=', id)
      .execute();
    await freeRunsOf(on, 'other', { isInDoubt: false });
    expect(await doubts(on)).toEqual([]);
    vi.advanceTimersByTime(5_000);
    const { worker } = await process.engine.open();
    await expect.poll(worker.join).not.toBe('');
    expect(await rowOf(on, id)).toMatchObject({ crashes: 1 });
  });
});

describe.each(databasesByTurns)('a third death that is in doubt, on $name', ({ place }) => {
  it('ends nothing and lets nobody go on until it is clear', async () => {
    await using data = place();
    const { process, on, id } = await leftInDoubt(data, 3, 'cut off');
    await using _ = process;
    const { kind } = heldKind();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    const { worker } = await next.engine.open();
    await worker.tick();
    await endCrashed(on);
    expect(await rowOf(on, id)).toMatchObject({ status: 'queued', crashes: 3 });
    data.ahead(10_001);
    await endCrashed(on);
    expect(await ended(next.runs, id)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_CRASHED' },
    });
  });

  it('ends nothing where its process takes it back', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using data = place();
    const { process, on, id } = await leftInDoubt(data, 3);
    await using _ = process;
    vi.advanceTimersByTime(5_000);
    await expect.poll(() => rowOf(on, id)).toMatchObject({ crashes: 2 });
    data.ahead(10_001);
    await endCrashed(on);
    expect(await rowOf(on, id)).not.toMatchObject({ status: 'failed' });
  });

  it('ends nothing where its process hears of it before its next heartbeat, and has nothing left', async () => {
    await using data = place();
    const { process, on, id } = await leftInDoubt(data, 3);
    await using _ = process;
    const { worker } = await process.engine.open();
    expect(await worker.isRidOf(id, 20_000)).toBe(true);
    await expect.poll(() => rowOf(on, id)).toMatchObject({ crashes: 2 });
    expect(await doubts(on)).toEqual([]);
  });

  it('is forgotten once it is long past', async () => {
    await using data = place();
    const { process, on, owner, id } = await leftInDoubt(data, 1, 'cut off');
    await using _ = process;
    await forgetDoubts(on);
    expect(await doubts(on)).toMatchObject([{ root_id: id, worker: owner }]);
    data.ahead(700_000);
    await forgetDoubts(on);
    expect(await doubts(on)).toEqual([]);
  });
});
