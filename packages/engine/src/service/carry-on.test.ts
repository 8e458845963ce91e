import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, kindOf, type Place, startEngine } from '../../test/engine-under-test.ts';
import { startWithJobs } from '../../test/engine-with-jobs.ts';
import { type Ground, machine } from '../ground.ts';

const { signal } = new AbortController();

/** A run that a process which is gone has left. */
async function left(data: Place, kind: ReturnType<typeof kindOf>): Promise<string> {
  const before = startEngine(data, [kind]);
  const { id } = await before.runs.start(kind, null);
  await expect.poll(async () => (await before.runs.get(id)).steps.length).toBeGreaterThan(0);
  await before.engine.stop(100);
  await before.store.close();
  return id;
}

const heldAtFirst = () =>
  kindOf((_: null, run) =>
    run.step('work', ({ signal: of, attempt }) =>
      attempt > 1
        ? 'done'
        : new Promise((_resolve, reject) => of.addEventListener('abort', () => reject(of.reason))),
    ),
  );

describe.each(databasesByTurns)('a process that does not stay, on $name', ({ place }) => {
  it('goes on with what another has left, until it is over', async () => {
    await using data = place();
    const kind = heldAtFirst();
    const id = await left(data, kind);
    await using here = startEngine(data, [kind]);
    const { run, why } = await here.engine.carryOn(id, { signal });
    expect({ why, status: run.status, output: run.output }).toEqual({
      why: 'over',
      status: 'completed',
      output: 'done',
    });
  });

  it('goes on from an answer, by what comes next, up to what is asked then', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      await run.ask('first', { message: 'First?' });
      await run.step('between', () => 'done');
      await run.sleep('short', 50);
      return run.ask('second', { message: 'Second?' });
    });
    const id = await left(data, kind);
    await using here = startEngine(data, [kind]);
    expect(await here.engine.carryOn(id, { signal })).toMatchObject({ why: 'asks' });
    await here.runs.answer(id, { action: 'accept' });
    const { run, why } = await here.engine.carryOn(id, { signal });
    expect({ why, asks: run.asks?.map(({ name }) => name) }).toEqual({ why: 'asks', asks: ['second'] });
  });

  it('hears that a run does nothing but wait, and does not have to look for it', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      // Long after anything that is told of its beginning.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await run.sleep('long', 600_000);
    });
    const after: Ground['after'] = (ms, call) => machine.after(ms === 5_000 ? 2 ** 30 : ms, call);
    await using here = startEngine(data, [kind], { ground: { ...machine, after } });
    const { id } = await here.runs.start(kind, null);
    expect(await here.engine.carryOn(id, { signal: AbortSignal.timeout(10_000) })).toMatchObject({
      why: 'waits',
    });
  });

  it.each(['by waiting for its own', 'by carrying its own'])(
    'goes on with what has the turn that its own run waits for, and with nothing else, %s',
    async (how) => {
      await using data = place();
      const kind = heldAtFirst();
      const before = startEngine(data, [kind]);
      const concurrency = { key: 'deploy' };
      const first = await before.runs.start(kind, null, { concurrency });
      const other = await before.runs.start(kind, null, { concurrency: { key: 'other' } });
      for (const { id } of [first, other]) {
        await expect.poll(async () => (await before.runs.get(id)).steps.length).toBeGreaterThan(0);
      }
      await before.engine.stop(100);
      await before.store.close();
      await using here = startEngine(data, [kind]);
      const own = await here.runs.start(kind, null, { concurrency });
      expect((await here.runs.get(own.id)).message).toContain(`run ${first.id} of its key comes first`);
      const done = async () => (await here.runs.get(first.id)).status;
      const { on } = await here.engine.open();
      const leave = new AbortController();
      const waiting =
        how === 'by waiting for its own'
          ? here.runs.wait(own.id, { signal: leave.signal })
          : here.engine.carryOn(own.id, { signal: leave.signal });
      waiting.catch(() => {});
      await expect.poll(done, { timeout: 15_000 }).toBe('completed');
      await expect
        .poll(async () => (await here.runs.get(own.id)).steps.length, { timeout: 15_000 })
        .toBeGreaterThan(0);
      leave.abort();
      await waiting.catch(() => {});
      const rest = await on.db.selectFrom('runs_runs').select('status').where('id', '=', other.id).execute();
      expect(rest).toEqual([{ status: 'queued' }]);
    },
  );

  it('says of a run whose process has died what it waits for', async () => {
    await using data = place();
    const kind = heldAtFirst();
    const id = await left(data, kind);
    await using here = startEngine(data, [kind]);
    const { on } = await here.engine.open();
    await on.db
      .updateTable('runs_runs')
      .set({ status: 'running', owner: 'of-a-process-that-died', wake_at: null })
      .where('id', '=', id)
      .execute();
    const { status, message } = await here.runs.get(id);
    expect({ status, message }).toEqual({ status: 'queued', message: expect.stringContaining('has died') });
  });

  it.each([
    ['paused', 'is stopped'],
    ['paused', 'dies'],
    ['waiting', 'is stopped'],
    ['waiting', 'dies'],
  ] as const)('leaves a family of which all is %s as such when it %s', async (status, how) => {
    await using data = place();
    const last = kindOf((_: null, run) =>
      status === 'paused'
        ? run.step('spend', () => {
            throw new ToolError('NEXUS_BUDGET_EXCEEDED', 'The budget is spent.');
          })
        : run.ask('go', { message: 'Go on?' }),
    );
    const middle = kindOf((_: null, run) => run.child('last', last as never, null), { name: 'middle' });
    const top = kindOf((_: null, run) => run.child('middle', middle as never, null), { name: 'top' });
    const before = startEngine(data, [last, middle, top]);
    const { id } = await before.runs.start(top, null);
    await expect.poll(async () => (await before.runs.get(id)).status).toBe(status);
    if (status === 'waiting') {
      await expect.poll(async () => (await before.runs.get(id)).asks?.length).toBe(1);
    }
    await before.engine.stop(100);
    await before.store.close();
    await using here = startEngine(data, [last, middle, top]);
    const { on } = await here.engine.open();
    const left =
      how === 'dies'
        ? { status: 'running' as const, owner: 'of-a-process-that-died', wake_at: null }
        : { status: 'queued' as const, owner: null, wake_at: 1 };
    await on.db.updateTable('runs_runs').set(left).where('status', '<>', 'paused').execute();
    expect((await here.runs.get(id)).status).toBe(status);
    expect((await here.runs.list({ status, limit: 9 })).runs.map((run) => run.id)).toEqual([id]);
    expect((await here.runs.list({ status: 'queued', limit: 9 })).total).toBe(0);
  });

  it('goes on with the job that waits for the run too', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.ask('publish', { message: 'Publish it?' }));
    const before = startWithJobs(data, kind);
    const { jobId } = (await before.start()).job;
    const asked = async () =>
      (await before.process.runs.list({ limit: 9 })).runs.find(({ asks }) => asks?.[0]?.runId)?.asks?.[0]
        ?.runId;
    await expect.poll(asked).toMatch(/^run_/);
    const id = (await asked()) ?? '';
    before.process.end();
    await before.process.engine.stop(100);
    await before.process.store.close();
    await using here = startWithJobs(data, kind).process;
    expect(await here.engine.carryOn(id, { signal })).toMatchObject({ why: 'asks', run: { id } });
    await here.runs.answer(id, { action: 'accept' });
    expect(await here.engine.carryOn(id, { signal })).toMatchObject({
      why: 'over',
      run: { status: 'completed' },
    });
    expect(await here.runs.get(jobId)).toMatchObject({ status: 'completed' });
  });

  it('tells at each look whether anything is being done', async () => {
    await using data = place();
    const looks = async (kind: ReturnType<typeof kindOf>, how: 'begin' | 'rest') => {
      await using here = startEngine(data, [kind]);
      const { id } = await here.runs.start(kind, null);
      const seen: (readonly [string, boolean])[] = [];
      const onLook = (...look: readonly [string, boolean]) => void seen.push(look);
      if (how === 'rest') await here.engine.carryOn(id, { signal });
      await here.engine.carryOn(id, { signal, onLook });
      return { id, seen };
    };
    const busy = kindOf(async (_: null, run) => run.sleep('short', 50));
    const done = await looks(busy, 'begin');
    expect(done.seen).toContainEqual([done.id, true]);
    const resting = kindOf(async (_: null, run) => run.sleep('long', 3_600_000));
    const rest = await looks(resting, 'rest');
    expect(new Set(rest.seen.map(([, isDoing]) => isDoing))).toEqual(new Set([false]));
  });

  it('does not sit out a long wait, and says when it is over', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.sleep('long', 3_600_000));
    const id = await left(data, kind);
    await using here = startEngine(data, [kind]);
    const { why, until = '' } = await here.engine.carryOn(id, { signal });
    expect(why).toBe('waits');
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(3_000_000);
  });

  it('leaves a run to the process that has it, and one of a plugin that it lacks', async () => {
    await using data = place();
    const kind = heldAtFirst();
    await using there = startEngine(data, [kind]);
    const { id } = await there.runs.start(kind, null);
    await using here = startEngine(data, []);
    expect(await here.engine.carryOn(id, { signal })).toMatchObject({ why: 'elsewhere' });
    await there.engine.stop(0);
    expect(await here.engine.carryOn(id, { signal })).toMatchObject({ why: 'unknown' });
  });

  it('goes on with all that it began, also after the call that began it', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.sleep('short', 50));
    await using here = startEngine(data, [kind]);
    const { id } = await here.runs.start(kind, null);
    const all = await here.engine.carryAll({ signal });
    expect(all.map(({ run, why }) => [run.id, run.status, why])).toEqual([[id, 'completed', 'over']]);
  });

  it('is told to leave it, and then leaves it to the next', async () => {
    await using data = place();
    const kind = heldAtFirst();
    await using here = startEngine(data, [kind]);
    const { id } = await here.runs.start(kind, null);
    const leave = new AbortController();
    const carrying = here.engine.carryOn(id, { signal: leave.signal });
    leave.abort(new Error('Ctrl-C'));
    await expect(carrying).rejects.toThrow('Ctrl-C');
    await here.engine.stop(0);
    await using next = startEngine(data, [kind]);
    expect(await next.runs.get(id)).toMatchObject({ status: 'queued' });
    expect(await next.engine.carryOn(id, { signal })).toMatchObject({ why: 'over' });
  });
});
