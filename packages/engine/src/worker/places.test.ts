import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const held = (name: string) =>
  kindOf(
    (_: null, run) =>
      run.step('held', ({ signal, attempt }) => (attempt > 1 ? 'done' : untilAborted(signal))),
    { name },
  );

const tree = { ...held('test.tree'), place: 'machine' as const };
const anywhere = held('test.anywhere');
/** What is below a run that is bound works on the same files. */
const parent = {
  ...kindOf((_: null, run) => run.child('below', anywhere, null), { name: 'test.parent' }),
  place: 'machine' as const,
};
const kinds = [tree, anywhere, parent];
const on = (machine: string) => ({ machine: () => machine });

describe.each(databasesByTurns)('a run whose files are on one machine, on $name', ({ place }) => {
  it.each([
    ['by itself', tree, 1],
    ['with a child', parent, 2],
  ])('waits there for a server, %s, and says so', async (_, kind, steps) => {
    await using data = place();
    const first = startEngine(data, kinds, on('one'));
    const { id } = await first.runs.start(kind, null);
    const { id: free } = await first.runs.start(anywhere, null);
    const { on: record } = await first.engine.open();
    await expect
      .poll(async () => (await record.db.selectFrom('runs_steps').selectAll().execute()).length)
      .toBe(steps + 1);
    await first.engine.stop(0);
    await first.store.close();
    await using elsewhere = startEngine(data, kinds, on('other'));
    await elsewhere.engine.adopt();
    expect(await ended(elsewhere.runs, free)).toMatchObject({ status: 'completed' });
    expect(await elsewhere.runs.get(id)).toMatchObject({
      status: 'queued',
      message: expect.stringContaining('on machine one'),
    });
    const { signal } = new AbortController();
    expect(await elsewhere.engine.carryOn(id, { signal })).toMatchObject({ why: 'unknown' });
    await using there = startEngine(data, kinds, on('one'));
    await there.engine.adopt();
    expect(await ended(elsewhere.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('may be one of a kind that goes on anywhere, and stays there when it is run again with nothing kept', async () => {
    await using data = place();
    const first = startEngine(data, kinds, on('one'));
    const { id } = await first.runs.start(anywhere, null, { place: 'machine' });
    await expect.poll(async () => (await first.runs.get(id)).steps.length).toBe(1);
    await first.engine.stop(0);
    await first.store.close();
    await using elsewhere = startEngine(data, kinds, on('other'));
    await elsewhere.engine.adopt();
    await (await elsewhere.engine.open()).worker.tick();
    const waits = { status: 'queued', message: expect.stringContaining('on machine one') };
    expect(await elsewhere.runs.get(id)).toMatchObject(waits);
    await elsewhere.runs.cancel(id);
    const again = await elsewhere.runs.rerun(id);
    expect(again).toMatchObject(waits);
    await using there = startEngine(data, kinds, on('one'));
    await there.engine.adopt();
    expect(await ended(elsewhere.runs, id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(async () => (await there.runs.get(again.id)).steps.length, { timeout: 10_000 }).toBe(1);
  });

  it('goes on there when it is run again elsewhere with what it had done', async () => {
    await using data = place();
    const failing = {
      ...kindOf(
        async (fails: boolean, run) => {
          await run.step('kept', () => 'a file');
          if (fails) throw new Error('no');
        },
        { name: 'test.failing' },
      ),
      place: 'machine' as const,
    };
    await using first = startEngine(data, [failing], on('one'));
    const { id } = await first.runs.start(failing, true);
    expect(await ended(first.runs, id)).toMatchObject({ status: 'failed' });
    await using elsewhere = startEngine(data, [failing], on('other'));
    const again = await elsewhere.runs.takeUp(id);
    expect(again).toMatchObject({ status: 'queued', message: expect.stringContaining('on machine one') });
    expect(await elsewhere.runs.rerun(id)).toMatchObject({ status: 'running' });
    await first.engine.adopt();
    expect(await ended(elsewhere.runs, again)).toMatchObject({ status: 'failed' });
  });
});
