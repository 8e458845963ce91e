import type { AnyRunKind, Runs } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, type Place, startEngine } from '../../test/engine-under-test.ts';
import type { EngineOptions } from '../engine.ts';
import { type Ground, machine } from '../ground.ts';
import { freeRunsOf } from '../record/families.ts';
import type { OpenEngine } from '../service/runs-service.ts';

const untilAborted = (of: AbortSignal) =>
  new Promise<never>((_, reject) => of.addEventListener('abort', () => reject(of.reason)));

/** What keyed work comes to: a run whose only step calls for a run under its key, and waits for it. */
function calling(runs: () => Runs, called: AnyRunKind, name = 'test.caller'): AnyRunKind {
  return kindOf(
    (_: null, run) =>
      run.step('call', async (step) => {
        const caller = { session: { id: 's' }, run: { id: run.id, step: 'call' } };
        const made = await runs().start(called, run.id, { caller, key: step.idempotencyKey });
        return (await runs().wait(made.id, { signal: step.signal })).output;
      }),
    { name },
  );
}

/** A run of numbered steps; what each comes to is said by whoever tests. */
function stepped(count: number, doStep: (at: number, of: string, step: AbortSignal) => unknown): AnyRunKind {
  return kindOf(
    async (of: string, run) => {
      for (let at = 1; at <= count; at += 1) await run.step(`${at}`, (step) => doStep(at, of, step.signal));
      return 'done';
    },
    { name: 'test.stepped' },
  );
}

const PARKS = { parkAfterMs: 20 };

/** A process with both kinds of run, which goes on with what is there. */
function startWith(
  place: Place,
  called: AnyRunKind,
  { parkAfterMs }: Pick<EngineOptions, 'parkAfterMs'> = PARKS,
) {
  const process = startEngine(place, [], parkAfterMs === undefined ? {} : { parkAfterMs });
  const kinds = [called, calling(() => process.runs, called)];
  for (const kind of kinds) {
    const { name, version } = kind;
    process.engine.define({
      name,
      version,
      load: async () => ({ kind, host: {} as never, state: undefined }),
    });
  }
  return process;
}

const CALLER = { name: 'test.caller', version: 1 };

async function members({ on }: OpenEngine, rootId: string) {
  return on.db
    .selectFrom('runs_runs')
    .select(['id', 'status', 'owner', 'crashes'])
    .where('root_id', '=', rootId)
    .orderBy('created_at')
    .execute();
}

async function calledBy(open: OpenEngine, rootId: string): Promise<string> {
  return (await members(open, rootId)).find(({ id }) => id !== rootId)?.id ?? '';
}

/** Lets processes die with a run in hand, each once the family is at a step of its called run. */
async function dieAt(place: Place, steps: readonly number[], count = 10) {
  let id = '';
  for (const [death, at] of steps.entries()) {
    const isAt = { step: 0 };
    const called = stepped(count, (step, _, of) => {
      isAt.step = step;
      return step < at ? step : untilAborted(of);
    });
    const process = startWith(place, called);
    if (death === 0) id = (await process.runs.start(CALLER, null)).id;
    await process.engine.adopt();
    await expect.poll(() => isAt.step).toBe(at);
    await expect
      .poll(async () => (await members(await process.engine.open(), id)).filter(({ owner }) => owner))
      .toHaveLength(2);
    await process.die();
  }
  return id;
}

/** Families that two processes died with, as the record has them. */
async function suspectFamilies(place: Place, called: AnyRunKind, count: number): Promise<string[]> {
  // In its hands when it dies, also what waits for a person.
  const process = startWith(place, called, {});
  const open = await process.engine.open();
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) {
    const { id } = await process.runs.start(CALLER, null);
    await expect.poll(() => calledBy(open, id)).not.toBe('');
    const called = await calledBy(open, id);
    await expect.poll(async () => (await process.runs.get(called)).steps).toHaveLength(1);
    ids.push(id);
  }
  await open.on.db.updateTable('runs_runs').set({ crashes: 1 }).where('id', 'in', ids).execute();
  await process.die();
  return ids;
}

describe.each(databases)('a family of runs, on $name', ({ place }) => {
  it('goes on whole where two processes died within one step of it', async () => {
    await using data = place();
    const id = await dieAt(data, [1, 1]);
    await using next = startWith(
      data,
      stepped(10, (at) => at),
    );
    await next.engine.adopt();
    expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('has got a step further with any of its runs, however often its processes die', async () => {
    await using data = place();
    const id = await dieAt(data, [2, 5, 9, 10]);
    await using next = startWith(
      data,
      stepped(10, (at) => at),
    );
    await next.engine.adopt();
    expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('ends whole once three processes died with it at the same step', async () => {
    await using data = place();
    const id = await dieAt(data, [4, 4, 4]);
    await using next = startWith(
      data,
      stepped(10, (at) => at),
    );
    await next.engine.adopt();
    expect(await ended(next.runs, id)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_CRASHED' },
    });
    const all = await members(await next.engine.open(), id);
    expect(all.map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  it('gets no further by a run that is begun anew with its step, however much that one does', async () => {
    await using data = place();
    const called = stepped(2, (at) => at);
    const caller = kindOf(
      (_: null, run) =>
        run.step('call', async (step) => {
          const of = { session: { id: 's' }, run: { id: run.id, step: 'call' } };
          const made = await process.runs.start(called, run.id, { caller: of });
          await process.runs.wait(made.id, { signal: step.signal });
          return untilAborted(step.signal);
        }),
      { name: 'test.caller' },
    );
    let process = startEngine(data, [called, caller]);
    const { id } = await process.runs.start(caller, null);
    for (const death of [1, 2, 3]) {
      await process.engine.adopt();
      const children = async () => (await process.runs.get(id)).children;
      await expect
        .poll(async () => (await children()).filter(({ status }) => status === 'completed').length, {
          timeout: 10_000,
        })
        .toBe(death);
      await process.die();
      process = startEngine(data, [called, caller]);
    }
    await using next = process;
    await next.engine.adopt();
    expect(await ended(next.runs, id, 10_000)).toMatchObject({ error: { code: 'NEXUS_CRASHED' } });
  });

  it('that is suspect runs beside no other such one, and all of it is taken', async () => {
    await using data = place();
    const held = stepped(1, (_, __, of) => untilAborted(of));
    const ids = await suspectFamilies(data, held, 3);
    const running = new Set<string>();
    let most = 0;
    const called = stepped(1, async (_, of) => {
      running.add(of);
      most = Math.max(most, running.size);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running.delete(of);
    });
    await using next = startWith(data, called);
    await next.engine.adopt();
    for (const id of ids) expect(await ended(next.runs, id)).toMatchObject({ status: 'completed' });
    expect(most).toBe(1);
  });

  it('that is suspect and waits for a person holds up no other', async () => {
    await using data = place();
    const asked: string[] = [];
    let mayEnd = false;
    const asks = kindOf(
      async (of: string, run) => {
        // Of the two, the one that was begun first.
        if (asked.length === 0 || asked.includes(of)) {
          asked.push(of);
          await run.ask('may it', { message: 'May it?' });
        }
        await run.step('1', ({ signal }) => (mayEnd ? of : untilAborted(signal)));
        return 'done';
      },
      { name: 'test.stepped' },
    );
    const ids = await suspectFamilies(data, asks, 2);
    mayEnd = true;
    const [waits = '', works = ''] = ids;
    // Kept at hand for long, were it not suspect.
    await using next = startWith(data, asks, {});
    const open = await next.engine.open();
    for (const { owner } of await members(open, waits))
      if (owner) await freeRunsOf(open.on, owner, { isInDoubt: false });
    await open.on.db.updateTable('runs_runs').set({ wake_at: 1 }).where('root_id', '=', waits).execute();
    await next.engine.adopt();
    expect(await ended(next.runs, works, 20_000)).toMatchObject({ status: 'completed', output: 'done' });
    await next.runs.answer(await calledBy(open, waits), { action: 'accept' });
    expect(await ended(next.runs, waits, 20_000)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('is not parked in part: what waits stays with what works', async () => {
    await using data = place();
    let finish: ((_: unknown) => void) | undefined;
    const work = kindOf((_: null, run) =>
      run.step('work', () => new Promise((resolve) => (finish = resolve))),
    );
    const parent = kindOf((_: null, run) => run.child('child', work, null), { name: 'test.parent' });
    await using process = startEngine(data, [work, parent], { parkAfterMs: 1 });
    const { id } = await process.runs.start(parent, null);
    const open = await process.engine.open();
    await expect.poll(async () => (await members(open, id)).length).toBe(2);
    await expect.poll(async () => (await process.runs.get(id)).children[0]?.steps).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect((await members(open, id)).map(({ status }) => status)).toEqual(['running', 'running']);
    await expect.poll(() => finish).toBeDefined();
    finish?.('done');
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('is not parked before it has read what came for it, however soon it is to be parked', async () => {
    await using data = place();
    let finish: ((_: unknown) => void) | undefined;
    const work = kindOf((_: null, run) =>
      run.step('work', () => new Promise((resolve) => (finish = resolve))),
    );
    const parent = kindOf((_: null, run) => run.child('child', work, null), { name: 'test.parent' });
    const AT_ONCE = 12_345;
    const after: Ground['after'] = (ms, call) =>
      ms === AT_ONCE ? setImmediate(call) : machine.after(ms, call);
    const ground = { ...machine, after };
    await using process = startEngine(data, [work, parent], { parkAfterMs: AT_ONCE, ground });
    const { id } = await process.runs.start(parent, null);
    await expect.poll(() => finish).toBeDefined();
    finish?.('done');
    expect(await ended(process.runs, id, 10_000)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('is parked with the job between a step and the run that waits for a person', async () => {
    await using data = place();
    const asks = kindOf(async (_: null, run) => {
      await run.ask('may it', { message: 'May it?' });
      return 'done';
    });
    const parent = kindOf(
      (_: null, run) =>
        run.step('call', async (step) => {
          const at = { id: run.id, step: 'call' };
          const caller = { session: { id: 's' }, run: at };
          const { job } = await process.engine.jobs.start({
            tool: 'ask',
            arguments: {},
            sessionId: 's',
            parent: at,
            mayRunTwice: true,
            async run({ idempotencyKey: key, signal }) {
              const asking = await process.runs.start(asks, null, { caller, key });
              await process.runs.wait(asking.id, { signal });
              return { content: [], structuredContent: {} };
            },
          });
          await process.engine.jobs.outcome(job.jobId, { signal: step.signal });
          return 'done';
        }),
      { name: 'test.parent' },
    );
    await using process = startEngine(data, [asks, parent], { parkAfterMs: 20 });
    const { id } = await process.runs.start(parent, null);
    const open = await process.engine.open();
    const statuses = async () => (await members(open, id)).map(({ status }) => status);
    await expect.poll(statuses).toEqual(['running', 'running', 'waiting']);
    const asking = (await members(open, id))[2]?.id ?? '';
    await process.runs.answer(asking, { action: 'accept' });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('is one process’s: another that looks at the same time takes none of it', async () => {
    await using data = place();
    const id = await dieAt(data, [1]);
    let finish: ((_: unknown) => void) | undefined;
    const held = stepped(1, () => new Promise((resolve) => (finish = resolve)));
    await using one = startWith(data, held);
    await using other = startWith(data, held);
    await Promise.all([one.engine.adopt(), other.engine.adopt()]);
    const open = await one.engine.open();
    const owners = async () => (await members(open, id)).map(({ owner }) => owner);
    await expect.poll(async () => (await owners()).every(Boolean)).toBe(true);
    expect(new Set(await owners()).size).toBe(1);
    await expect.poll(() => finish).toBeDefined();
    finish?.('done');
    expect(await ended(one.runs, id, 5_000)).toMatchObject({ status: 'completed' });
  });
});
