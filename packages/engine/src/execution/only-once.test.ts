import { type StepOptions, type ToolCaller, ToolError, type ToolSummary } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { counterOf, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';
import type { CallingStep } from './instance-services.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe.each(databasesByTurns)('work that learns whether it may be done twice, on $name', ({ place }) => {
  it('is done again where its process died before it said so, and is of unknown outcome after', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((isOnce: boolean, run) =>
      run.step('work', async ({ signal, attempt, onlyOnce }) => {
        if (isOnce) await onlyOnce();
        count.add(isOnce ? 'once' : 'often');
        return attempt > 1 ? 'by the next' : untilAborted(signal);
      }),
    );
    const dead = startEngine(data, [kind]);
    const once = await dead.runs.start(kind, true);
    const often = await dead.runs.start(kind, false);
    await expect.poll(() => count.all).toEqual({ once: 1, often: 1 });
    await dead.die();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, often)).toMatchObject({ status: 'completed', output: 'by the next' });
    expect(await ended(next.runs, once)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_OUTCOME_UNKNOWN' },
    });
    expect(count.all).toEqual({ once: 1, often: 2 });
  });

  it('may be done twice again by its next attempt, until that says so too', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run) =>
      run.step(
        'work',
        async ({ signal, attempt, onlyOnce }) => {
          if (attempt === 1) {
            await onlyOnce();
            throw new Error('never let in');
          }
          count.add('work');
          return attempt > 2 ? 'by the next' : untilAborted(signal);
        },
        { retry: { attempts: 2, delayMs: 0, isRetryable: () => true } },
      ),
    );
    const dead = startEngine(data, [kind]);
    const run = await dead.runs.start(kind, null);
    await expect.poll(() => count.all, { timeout: 5_000 }).toEqual({ work: 1 });
    await dead.die();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ status: 'completed', output: 'by the next' });
    expect(count.all).toEqual({ work: 2 });
  });

  it('is so by the hints of what it calls, unless its author says otherwise', async () => {
    await using data = place();
    const count = counterOf();
    const isRepeatable = (name: string) => name === 'look';
    const tools = (_: unknown, { signal }: CallingStep): ToolCaller => ({
      list: () => [],
      find: (name) => ({ name, origin: name, isRepeatable: isRepeatable(name) }) as ToolSummary,
      check: async () => [],
      call: async (name) => {
        count.add(name);
        return count.all[name] === 1 ? untilAborted(signal) : { content: [] };
      },
    });
    const kind = kindOf(({ name, options }: { name: string; options: StepOptions }, run) =>
      run.step('work', async (step) => void (await step.tools.call(name, {})), options),
    );
    const dead = startEngine(data, [kind], { tools });
    const paid = await dead.runs.start(kind, { name: 'pay', options: {} });
    const looked = await dead.runs.start(kind, { name: 'look', options: {} });
    const stated = await dead.runs.start(kind, { name: 'again', options: { isRepeatable: true } });
    await expect.poll(() => count.all).toEqual({ pay: 1, look: 1, again: 1 });
    await dead.die();
    await using next = startEngine(data, [kind], { tools });
    await next.engine.adopt();
    for (const id of [looked, stated])
      expect(await ended(next.runs, id)).toMatchObject({ status: 'completed' });
    expect(await ended(next.runs, paid)).toMatchObject({ error: { code: 'NEXUS_OUTCOME_UNKNOWN' } });
    expect(count.all).toEqual({ pay: 1, look: 2, again: 2 });
  });

  it.each([
    ['said beforehand', { isRepeatable: false }],
    ['learnt meanwhile', {}],
  ] as const)('is of unknown outcome after its time, and not tried again: %s', async (_, options) => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run) =>
      run.step(
        'work',
        async ({ onlyOnce }) => {
          if (!('isRepeatable' in options)) await onlyOnce();
          count.add('work');
          await new Promise(() => {});
        },
        { ...options, timeoutMs: 1_000, retry: { attempts: 3, delayMs: 0 } },
      ),
    );
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null);
    expect(await ended(process.runs, run)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_OUTCOME_UNKNOWN', message: expect.stringContaining('within 1000 ms') },
    });
    expect(count.all).toEqual({ work: 1 });
  });

  it('is on record before either of two calls side by side is made', async () => {
    await using data = place();
    const seen: unknown[] = [];
    const tools = ({ id }: { readonly id: string }): ToolCaller => ({
      list: () => [],
      find: (name) => ({ name, origin: name, isRepeatable: false }) as ToolSummary,
      check: async () => [],
      call: async () => {
        const step = on.db.selectFrom('runs_steps').select('is_repeatable').where('run_id', '=', id);
        seen.push((await step.executeTakeFirst())?.is_repeatable);
        return { content: [] };
      },
    });
    const kind = kindOf((_: null, run) =>
      run.step('work', async (step) => {
        await Promise.all(['one', 'other'].map((name) => step.tools.call(name, {})));
      }),
    );
    await using process = startEngine(data, [kind], { tools });
    const { on } = await process.engine.open();
    await ended(process.runs, await process.runs.start(kind, null));
    expect(seen.map(Number)).toEqual([0, 0]);
  });

  it('and came to nothing that anybody knows stays so where the run is broken off by another step', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run) =>
      Promise.allSettled([
        run.step('cheap', () => 'poison'),
        run.step(
          'work',
          () => {
            count.add('work');
            throw new ToolError('NEXUS_OUTCOME_UNKNOWN', 'nobody knows');
          },
          { isRepeatable: false },
        ),
        run.step('slow', () => new Promise((resolve) => setTimeout(resolve, 300))),
      ]),
    );
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    if (on.store.dialect !== 'sqlite') return; // a trigger of its own words refuses what the first step came to
    await sql`create trigger poison before update on runs_steps when new.output like '%poison%'
      begin select raise(abort, 'no poison'); end`.execute(on.db);
    const run = await ended(process.runs, await process.runs.start(kind, null));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'NEXUS_INTERNAL' } });
    expect(await process.runs.planRerun(run.id, { goesOn: true })).toMatchObject({ unknown: ['work'] });
  });

  it.each([
    ['it began', { isRepeatable: false }],
    ['it says so', {}],
  ] as const)(
    'is not done by a process that stood still as %s, and whose run is another’s by then',
    async (_, options) => {
      await using data = place();
      const count = counterOf();
      let stoppedMs = 0;
      const kind = kindOf((_: null, run) =>
        run.step(
          'work',
          async ({ onlyOnce }) => {
            await onlyOnce();
            count.add('work');
          },
          options,
        ),
      );
      const ground = { ...machine, now: () => machine.now() + stoppedMs };
      await using process = startEngine(data, [kind], { ground });
      const { on, worker } = await process.engine.open();
      const { db } = on;
      const transaction = db.transaction.bind(db);
      db.transaction = () => {
        const begun = transaction();
        const execute = begun.execute.bind(begun);
        return Object.assign(begun, {
          async execute(work: Parameters<typeof execute>[0]) {
            const made = await execute(work);
            const steps = db.selectFrom('runs_steps').select('name').where('is_repeatable', '=', 0);
            if (stoppedMs > 0 || !(await steps.executeTakeFirst())) return made;
            stoppedMs = 60_000;
            await db.updateTable('runs_runs').set({ epoch: 2, owner: 'another' }).execute();
            return made;
          },
        });
      };
      const { id } = await process.runs.start(kind, null);
      await expect.poll(() => stoppedMs).toBeGreaterThan(0);
      await expect.poll(() => worker.has(id)).toBe(false);
      expect(count.all).toEqual({});
    },
  );
});
