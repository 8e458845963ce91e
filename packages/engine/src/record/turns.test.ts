import type { Concurrency } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, type EngineUnderTest, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const kind = kindOf((_: unknown, run) => run.ask('go', { message: 'Go on?' }));

const one: Concurrency = { key: 'deploy' };
const statusOf = async ({ runs }: EngineUnderTest, { id }: { id: string }) => (await runs.get(id)).status;
const start = ({ runs }: EngineUnderTest, concurrency: Concurrency, n = 0) =>
  runs.start(kind, n, { concurrency });
const finish = ({ runs }: EngineUnderTest, { id }: { id: string }) => runs.answer(id, { action: 'accept' });
const asks = (process: EngineUnderTest, { id }: { id: string }) =>
  expect.poll(async () => (await process.runs.get(id)).questions.length, PATIENCE).toBe(1);

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** On SQLite one process hears of another's runs by looking. */
const PATIENCE = { timeout: 30_000 };

describe.each(databases)('runs of one key, on $name', ({ place }) => {
  it('go on one after the other, in the order of their coming, whichever server has them', async () => {
    await using data = place();
    await using first = startEngine(data, [kind], { parkAfterMs: 20 });
    await using second = startEngine(data, [kind], { parkAfterMs: 20 });
    await first.engine.adopt();
    await second.engine.adopt();
    const runs = [await start(first, one, 1), await start(second, one, 2), await start(first, one, 3)];
    const [a, b, c] = runs as [(typeof runs)[0], (typeof runs)[0], (typeof runs)[0]];
    await asks(first, a);
    expect([await statusOf(first, b), await statusOf(second, c)]).toEqual(['queued', 'queued']);
    expect((await first.runs.get(b.id)).message).toContain('waits for its turn');
    // Another key is no affair of theirs.
    const other = await start(second, { key: 'other' }, 4);
    await asks(second, other);
    await finish(second, a);
    await asks(second, b);
    expect(await statusOf(first, c)).toBe('queued');
    await first.runs.cancel(b.id);
    await asks(first, c);
    await finish(first, c);
    await ended(first.runs, c.id);
    const { on } = await first.engine.open();
    expect((await on.db.selectFrom('runs_turns').select('key').execute()).map(({ key }) => key)).toEqual([
      'other',
    ]);
  });

  it('are as many at a time as is said, and never more, however many begin at once', async () => {
    await using data = place();
    await using first = startEngine(data, [kind], { parkAfterMs: 20 });
    await using second = startEngine(data, [kind], { parkAfterMs: 20 });
    await first.engine.adopt();
    await second.engine.adopt();
    const two: Concurrency = { key: 'build', limit: 2 };
    const runs = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => start(n % 2 ? first : second, two, n)));
    const { on } = await first.engine.open();
    const going = async () =>
      (
        await on.db
          .selectFrom('runs_runs')
          .select('id')
          .where('status', 'in', ['running', 'waiting'])
          .execute()
      ).map(({ id }) => id);
    const done = new Set<string>();
    while (done.size < runs.length) {
      await expect
        .poll(async () => (await going()).length, PATIENCE)
        .toBe(Math.min(2, runs.length - done.size));
      const now = await going();
      for (const id of now) await asks(first, { id });
      // Both at once: each sees the other leave, or is seen by it.
      await Promise.all(now.map((id, at) => finish(at ? first : second, { id })));
      for (const id of now) {
        await ended(first.runs, id);
        done.add(id);
      }
    }
    expect(await on.db.selectFrom('runs_turns').selectAll().execute()).toEqual([]);
  });

  it('refuse one more, or make way for it, as it says', async () => {
    await using data = place();
    await using process = startEngine(data, [kind], { parkAfterMs: 20 });
    await process.engine.adopt();
    const a = await start(process, one);
    await expect(start(process, { ...one, onConflict: 'refuse' })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
      detail: { key: 'deploy', runId: a.id },
    });
    const b = await start(process, one);
    const c = await start(process, { ...one, onConflict: 'cancel-older' });
    await asks(process, c);
    for (const each of [a, b]) {
      expect(await process.runs.get(each.id)).toMatchObject({
        status: 'cancelled',
        error: { code: 'NEXUS_CANCELLED', message: expect.stringContaining('A newer run') },
      });
    }
    // None of what they were to do was begun meanwhile.
    expect((await process.runs.get(b.id)).steps).toEqual([]);
  });

  it('that go on under their key wait for a turn with all that they had begun', async () => {
    await using data = place();
    let begun = 0;
    const child = kindOf(
      (_: unknown, run) =>
        run.step('work', ({ signal }) => {
          begun += 1;
          return mayEnd ? 'done' : untilAborted(signal);
        }),
      { name: 'test.child' },
    );
    const parent = kindOf((_: unknown, run) => run.child('child', child, null), { name: 'test.parent' });
    let mayEnd = false;
    await using process = startEngine(data, [kind, child, parent], { parkAfterMs: 20 });
    await process.engine.adopt();
    const { runs } = process;
    const keyed = { key: 'k', concurrency: one };
    const first = await runs.start(parent, null, keyed);
    await expect.poll(() => begun).toBe(1);
    await runs.cancel(first.id);
    mayEnd = true;
    const other = await start(process, one);
    await asks(process, other);
    const next = await runs.start(parent, null, keyed);
    expect(next).toMatchObject({ status: 'queued', rerunOf: first.id });
    // What it had begun is taken up when its step asks for it.
    expect((await runs.get(next.id)).children).toEqual([]);
    // Claimed by nobody, however often it is looked.
    const { worker } = await process.engine.open();
    await worker.tick();
    expect(begun).toBe(1);
    await finish(process, other);
    expect(await ended(runs, next, 20_000)).toMatchObject({ status: 'completed', output: 'done' });
    expect(begun).toBe(2);
  });

  it('keep their turns when their server dies, and make way when it died as they were to', async () => {
    await using data = place();
    const dead = startEngine(data, [kind], { parkAfterMs: 20 });
    await dead.engine.adopt();
    const a = await start(dead, one, 1);
    await asks(dead, a);
    const b = await start(dead, one, 2);
    const { on: before } = await dead.engine.open();
    // As it is between the two writes of a newer one: it is in line, and has ended nobody yet.
    await before.db.updateTable('runs_turns').set({ is_outrun: 1 }).where('run_id', '=', a.id).execute();
    await dead.die();
    await using next = startEngine(data, [kind], { parkAfterMs: 20 });
    await next.engine.adopt();
    expect((await ended(next.runs, a.id)).status).toBe('cancelled');
    await asks(next, b);
    const c = await start(next, one, 3);
    expect(await statusOf(next, c)).toBe('queued');
    // As a server of a version leaves it that knows of no turns.
    const { on } = await next.engine.open();
    await on.db
      .updateTable('runs_runs')
      .set({ status: 'completed', ended_at: on.store.now })
      .where('id', '=', b.id)
      .execute();
    await using third = startEngine(data, [kind], { parkAfterMs: 20 });
    await third.engine.adopt();
    await asks(third, c);
  });

  it('are kept apart when they are done again, and never wait for a run that waits for them', async () => {
    await using data = place();
    const outer = kindOf((_: null, run) => run.ask('go', { message: 'Go on?' }), { name: 'test.outer' });
    await using process = startEngine(data, [kind, outer]);
    await process.engine.adopt();
    const a = await start(process, one);
    await asks(process, a);
    await finish(process, a);
    await ended(process.runs, a.id);
    const again = await process.runs.rerun(a.id);
    await asks(process, again);
    expect(await statusOf(process, await start(process, one))).toBe('queued');
    const parent = await process.runs.start(outer, null, { concurrency: { key: 'family' } });
    const caller = { session: { id: 's' }, run: { id: parent.id, step: 'go' } };
    await expect(
      process.runs.start(kind, 1, { concurrency: { key: 'family' }, caller }),
    ).rejects.toMatchObject({ code: 'NEXUS_CONFLICT', message: expect.stringContaining('wait for itself') });
  });
});
