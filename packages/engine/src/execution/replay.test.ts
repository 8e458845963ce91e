import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

type Body = (input: never, run: RunContext) => Promise<unknown>;

const GRACE_MS = 50;

/** Runs `first` up to a step that never ends, stops the process, and goes on with `second`. */
async function goOnWith(place: Place, first: Body, second: Body) {
  const before = startEngine(place, [kindOf(first)]);
  const run = await before.runs.start({ name: 'test.run', version: 1 }, null);
  await expect
    .poll(async () => (await before.runs.get(run.id)).steps.some(({ name }) => name === 'held'))
    .toBe(true);
  await before.engine.stop(500);
  await before.store.close();
  const after = startEngine(place, [kindOf(second)], { graceMs: GRACE_MS });
  await after.engine.adopt();
  return { run: await ended(after.runs, run), after };
}

const held = (run: RunContext) =>
  run.step('held', ({ signal, attempt }) =>
    attempt > 1
      ? 'let go'
      : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );

describe.each(databasesByTurns)('a run that is done again, on $name', ({ place }) => {
  it('goes the way it went, whatever ran side by side: each result comes when it came', async () => {
    await using data = place();
    const count = counterOf();
    const waits: Record<string, number> = { a: 60, b: 5, c: 30 };
    let isFast = false;
    const orders: string[][] = [];
    const body: Body = async (_, run) => {
      const order: string[] = [];
      orders.push(order);
      const branch = async (name: string) => {
        await run.step(name, async () => {
          count.add(name);
          await new Promise((resolve) => setTimeout(resolve, isFast ? 0 : waits[name]));
        });
        order.push(name);
        // What it does next depends on who was first.
        await run.step(`after-${order.length}`, () => name);
      };
      await run.parallel(['a', 'b', 'c'].map((name) => () => branch(name)));
      await held(run);
      return order;
    };
    const { run, after } = await goOnWith(data, body, (input, context) => {
      isFast = true;
      return body(input, context);
    });
    expect(run).toMatchObject({ status: 'completed', output: orders[0] });
    expect(orders[1]).toEqual(orders[0]);
    expect(count.all).toEqual({ a: 1, b: 1, c: 1 });
    await after[Symbol.asyncDispose]();
  });

  it('has the same time, chance and ids', async () => {
    await using data = place();
    const seen: unknown[] = [];
    const body: Body = async (_, run) => {
      const values = [await run.now(), await run.random(), await run.uuid(), await run.now()];
      seen.push(values);
      await held(run);
      return values;
    };
    const { run, after } = await goOnWith(data, body, body);
    expect(seen[1]).toEqual(seen[0]);
    expect(run.output).toEqual(seen[0]);
    await after[Symbol.asyncDispose]();
  });

  it('remembers a failure that was caught', async () => {
    await using data = place();
    const count = counterOf();
    const body: Body = async (_, run) => {
      const fall = () => {
        count.add('fail');
        throw new ToolError('NEXUS_UNAVAILABLE', 'gone', { detail: { at: 1 } });
      };
      const why = await run.step('fail', fall).catch((error: ToolError) => [error.code, error.detail]);
      await held(run);
      return why;
    };
    const { run, after } = await goOnWith(data, body, body);
    expect(run.output).toEqual(['NEXUS_UNAVAILABLE', { at: 1 }]);
    expect(count.all).toEqual({ fail: 1 });
    await after[Symbol.asyncDispose]();
  });

  const original: Body = async (_, run) => {
    await run.step('one', () => 1);
    await run.step('two', () => 2, { input: { a: 1 } });
    await held(run);
    return 'done';
  };
  const steps = (names: readonly (readonly [string, object?])[]): Body =>
    async function changed(_, run) {
      for (const [name, options] of names) await run.step(name, () => 0, options);
      await held(run);
      return 'done';
    };
  const two = ['two', { input: { a: 1 } }] as const;

  it.each([
    ['removes a step', steps([['one']]), 'two'],
    ['renames a step', steps([['one'], ['zwei', { input: { a: 1 } }]]), 'two'],
    ['adds one before', steps([['zero'], ['one'], two]), 'one'],
    ['swaps two', steps([two, ['one']]), 'one'],
    ['gives one other input', steps([['one'], ['two', { input: { a: 2 } }]]), 'two'],
    ['ends without one', async () => 'done', 'one'],
  ])('is stopped, and the step is named, where its code %s', async (_what, changed, step) => {
    await using data = place();
    const { run, after } = await goOnWith(data, original, changed as Body);
    expect(run).toMatchObject({
      status: 'paused',
      error: { code: 'NEXUS_RUN_CHANGED', detail: { step }, message: expect.stringContaining(`"${step}"`) },
    });
    await after[Symbol.asyncDispose]();
    await using mended = startEngine(data, [kindOf(original)]);
    await mended.engine.adopt();
    await mended.runs.resume(run.id);
    expect(await ended(mended.runs, run.id)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('ends by its own word where its code says itself that it can’t go on', async () => {
    await using data = place();
    const { run, after } = await goOnWith(data, original, async () => {
      throw new ToolError('NEXUS_RUN_CHANGED', 'It began in another age.');
    });
    expect(run).toMatchObject({ status: 'failed', error: { message: 'It began in another age.' } });
    await after[Symbol.asyncDispose]();
  });

  it('takes a step that is added at the end', async () => {
    await using data = place();
    const { run, after } = await goOnWith(data, original, async (input, context) => {
      await original(input, context);
      return context.step('three', () => 3);
    });
    expect(run).toMatchObject({ status: 'completed', output: 3 });
    await after[Symbol.asyncDispose]();
  });
});

describe.each(databasesByTurns)('a step, on $name', ({ place }) => {
  it('is tried as often as its policy says, by the database’s clock, under one key', async () => {
    await using data = place();
    const keys: unknown[] = [];
    const kind = kindOf((_: null, run) =>
      run.step(
        'flaky',
        ({ attempt, idempotencyKey }) => {
          keys.push([attempt, idempotencyKey]);
          if (attempt < 3) throw new ToolError('NEXUS_UNAVAILABLE', 'not yet');
          return attempt;
        },
        { retry: { attempts: 3, delayMs: 5 } },
      ),
    );
    await using process = startEngine(data, [kind]);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({ output: 3 });
    expect(keys.map((each) => (each as unknown[])[0])).toEqual([1, 2, 3]);
    expect(new Set(keys.map((each) => (each as unknown[])[1])).size).toBe(1);
  });

  it('is not tried again where a retry can’t help, nor without a policy', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf(async (_: null, run) => {
      const fail = (name: string, code: 'NEXUS_CONFLICT' | 'NEXUS_UNAVAILABLE', options?: object) =>
        run
          .step(
            name,
            () => {
              count.add(name);
              throw new ToolError(code, 'no');
            },
            options,
          )
          .catch(() => {});
      await fail('conflict', 'NEXUS_CONFLICT', { retry: { attempts: 5, delayMs: 1 } });
      await fail('plain', 'NEXUS_UNAVAILABLE');
    });
    await using process = startEngine(data, [kind]);
    await ended(process.runs, await process.runs.start(kind, null));
    expect(count.all).toEqual({ conflict: 1, plain: 1 });
  });

  it('answers what JSON keeps: bigints as digits, odd text whole; a cycle fails it, once', async () => {
    await using data = place();
    const count = counterOf();
    const odd = 'a\u0000b\ud800c';
    const kind = kindOf(async (_: null, run) => {
      const kept = await run.step('odd', () => ({ big: 12n, odd, none: undefined }));
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      const failure = await run
        .step('cycle', () => {
          count.add('cycle');
          return cycle;
        })
        .catch((error: Error) => error.message);
      return { kept, failure };
    });
    await using process = startEngine(data, [kind]);
    const { output } = await ended(process.runs, await process.runs.start(kind, null));
    expect(output).toEqual({ kept: { big: '12', odd }, failure: expect.stringContaining('"cycle"') });
    expect(count.all).toEqual({ cycle: 1 });
  });

  it('ends at its own time, and its work is told', async () => {
    await using data = place();
    let wasTold = false;
    const kind = kindOf((_: null, run) =>
      run.step(
        'slow',
        ({ signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              wasTold = true;
            });
          }),
        { timeoutMs: 20 },
      ),
    );
    await using process = startEngine(data, [kind]);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_TIMEOUT' },
    });
    expect(wasTold).toBe(true);
  });

  it('can’t have a name that the run has used', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      await run.step('same', () => 1);
      await run.step('same', () => 2);
    });
    await using process = startEngine(data, [kind]);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('"same" twice') },
    });
  });

  it('of side-by-side work waits for its siblings, whose results are kept', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      const fail = () =>
        run.step('bad', () => {
          throw new ToolError('NEXUS_CONFLICT', 'bad');
        });
      const slow = () => run.step('slow', () => new Promise((resolve) => setTimeout(resolve, 40, 'paid')));
      await run.parallel<unknown>([fail, slow]);
    });
    await using process = startEngine(data, [kind]);
    const run = await ended(process.runs, await process.runs.start(kind, null));
    expect(run).toMatchObject({ status: 'failed', error: { message: 'bad' } });
    const { steps } = await process.runs.get(run.id);
    expect(steps.map(({ name, status }) => [name, status])).toEqual([
      ['bad', 'failed'],
      ['slow', 'completed'],
    ]);
  });

  it('stops an agent that calls the same again and again', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf(async (_: null, run) => {
      for (let turn = 1; ; turn += 1) {
        const guard = { agent: 'code', tool: 'search', arguments: { q: 'x' } };
        await run.step(`turn-${turn}`, () => count.add('search'), { guard });
      }
    });
    await using process = startEngine(data, [kind]);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      error: { code: 'NEXUS_LOOP', detail: { agent: 'code', tool: 'search', times: 3 } },
    });
    expect(count.all).toEqual({ search: 3 });
  });
});
