import { type RunContext, type Runs, type ToolCaller, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { define } from '../../test/define.ts';
import {
  counterOf,
  databasesByTurns,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const session = { id: 's' };
const inner = { name: 'test.inner', version: 1 };

/** Tools as the server has them: `begin` starts a run for its call and answers what that came to. */
function toolsThatBegin(
  runs: () => Runs,
  { cap, isKeyed = true }: { cap?: { costUsd: number }; isKeyed?: boolean } = {},
) {
  return ({ id }: { id: string }, { step, signal }: { step: string; signal: AbortSignal }): ToolCaller => ({
    list: () => [],
    find: () => undefined,
    check: async () => [],
    async call(_name, params) {
      const { 'nexus/idempotencyKey': key } = params._meta as Record<string, string>;
      const caller = { session, run: { id, step } };
      const run = await runs().start(inner, params.arguments, {
        caller,
        ...(isKeyed ? { key } : {}),
        ...(cap ? { cap } : {}),
      });
      const done = await runs().wait(run.id, { signal });
      if (done.status === 'completed') return { content: [], structuredContent: { output: done.output } };
      const { code = 'NEXUS_BUDGET_EXCEEDED', message = '' } = done.error ?? {};
      const envelope = { code, message, retryable: false, detail: { runId: run.id } };
      return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
    },
  });
}

const callsInner = (_: unknown, run: RunContext) =>
  run.step(
    'call',
    async ({ tools }) => (await tools.call('begin', { arguments: { a: 1 } })).structuredContent,
  );

const untilEnded = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function start(
  data: Place,
  innerRun: Parameters<typeof kindOf>[0],
  how: Parameters<typeof toolsThatBegin>[1] = {},
) {
  const kinds = [kindOf(callsInner), kindOf(innerRun, inner)];
  const process = startEngine(data, kinds, { tools: toolsThatBegin(() => process.runs, how) });
  return process;
}

const outer = { name: 'test.run', version: 1 };

describe.each(databasesByTurns)('a run that a step’s call starts, on $name', ({ place }) => {
  it('is a child of the step’s run: shown under it, not beside it', async () => {
    await using data = place();
    await using process = start(data, async () => 'done');
    const { id } = await process.runs.start(outer, null, { caller: { session } });
    expect(await ended(process.runs, id)).toMatchObject({ output: { output: 'done' } });
    const detail = await process.runs.get(id);
    expect(detail.children).toMatchObject([
      { kind: 'test.inner', parentId: id, parentStep: 'call', rootId: id, status: 'completed' },
    ]);
    expect((await process.runs.list({ limit: 9 })).runs.map((run) => run.id)).toEqual([id]);
  });

  it('is told of first, where it stands under no key and did what must not be done twice', async () => {
    await using data = place();
    const done = counterOf();
    await using process = start(
      data,
      async (_: unknown, run: RunContext) => {
        await run.step('writes', () => done.add('writes'), { isRepeatable: false });
        if (done.all.writes === 2) return 'done';
        return run.step('long', ({ signal }) => untilEnded(signal));
      },
      { isKeyed: false },
    );
    const { runs } = process;
    const { id } = await runs.start(outer, null, { caller: { session } });
    await expect.poll(() => done.all).toEqual({ writes: 1 });
    const [child] = (await runs.get(id)).children;
    await runs.cancel(id);
    const next = await ended(runs, await runs.takeUp(id));
    const message = expect.stringContaining(`it had begun run ${child?.id}`);
    expect(next).toMatchObject({ status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN', message } });
    expect(done.all).toEqual({ writes: 1 });
    // Who was told and goes on with this one all the same means it.
    expect(await ended(runs, await runs.takeUp(next.id))).toMatchObject({ status: 'completed' });
  });

  it('ends with it, and none is started for one that is over', async () => {
    await using data = place();
    await using process = start(data, (_: unknown, run: RunContext) =>
      run.step('long', ({ signal }) => untilEnded(signal)),
    );
    const { id } = await process.runs.start(outer, null, { caller: { session } });
    const childOf = async () => (await process.runs.get(id)).children[0];
    await expect.poll(async () => (await childOf())?.steps.length).toBe(1);
    await process.runs.cancel(id);
    expect(await childOf()).toMatchObject({ status: 'cancelled' });
    const caller = { session, run: { id, step: 'call' } };
    await expect(process.runs.start(inner, null, { caller })).rejects.toMatchObject({
      code: 'NEXUS_CANCELLED',
    });
    expect((await process.runs.get(id)).children).toHaveLength(1);
  });

  it('spends of the same budget: at its cap both pause, and both go on, with nothing done twice', async () => {
    await using data = place();
    const count = counterOf();
    const spends = (_: unknown, run: RunContext) =>
      run.parallel(
        ['one', 'two'].map((name) => async () => {
          await run.step(`${name}-first`, () => count.add(name));
          return run.step(name, async ({ ledger }) => {
            const reservation = await ledger.reserve({ tokens: 10, costUsd: 0.6 }, 'a call');
            await reservation.settle({ tokens: 10, costUsd: 0.6 });
            return name;
          });
        }),
      );
    await using process = start(data, spends);
    const { id } = await process.runs.start(outer, null, { caller: { session }, cap: { costUsd: 1 } });
    await process.engine.adopt();
    await expect
      .poll(async () => {
        const { status, children } = await process.runs.get(id);
        return [status, children[0]?.status];
      })
      .toEqual(['paused', 'paused']);
    await process.runs.resume(id, { cap: { costUsd: 2 } });
    const done = await ended(process.runs, id);
    expect(done).toMatchObject({
      status: 'completed',
      output: { output: ['one', 'two'] },
      budget: { spent: { tokens: 20 } },
    });
    expect((await process.runs.get(id)).children).toHaveLength(1);
    expect(count.all).toEqual({ one: 1, two: 1 });
  });

  it('pauses it where only a child of it has paused', async () => {
    await using data = place();
    const spends = kindOf(
      (_: unknown, run: RunContext) =>
        run.step('spend', ({ ledger }) => ledger.reserve({ tokens: 9, costUsd: 0 }, 'a call').then(() => 1)),
      { name: 'test.spends' },
    );
    await using process = start(data, (_: unknown, run: RunContext) => run.child('child', spends, null));
    define(process.engine, spends);
    await process.engine.adopt();
    const { id } = await process.runs.start(outer, null, { caller: { session }, cap: { tokens: 1 } });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'paused' });
    await process.runs.resume(id, { cap: { tokens: 100 } });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: { output: 1 } });
  });

  it('is called for again where it was resumed while its call was told that it had paused', async () => {
    await using data = place();
    const tools = toolsThatBegin(() => process.runs);
    let calls = 0;
    await using process = startEngine(data, [kindOf(callsInner), kindOf(async () => 'done', inner)], {
      tools: (run, at) => ({
        ...tools(run, at),
        async call(name, params) {
          calls += 1;
          if (calls > 1) return tools(run, at).call(name, params);
          const caller = { session, run: { id: run.id, step: at.step } };
          const { 'nexus/idempotencyKey': key = '' } = params._meta as Record<string, string>;
          const { id: runId } = await process.runs.start(inner, params.arguments, { caller, key });
          // By then it goes on, or has ended.
          const envelope = { code: 'NEXUS_BUDGET_EXCEEDED', message: 'no', detail: { runId } };
          return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
        },
      }),
    });
    const { id } = await process.runs.start(outer, null, { caller: { session } });
    expect(await ended(process.runs, id)).toMatchObject({ output: { output: 'done' } });
  });

  it.each([
    ['NEXUS_SHUTTING_DOWN', 'The server is stopping.'],
    // Whose end comes while the store is away waits for neither.
    ['NEXUS_STORE_UNAVAILABLE', 'The store is away.'],
  ])(
    'that this server’s end keeps from starting (%s) is started by the next, and fails nothing',
    async (code, message) => {
      await using data = place();
      const gate = counterOf();
      const kinds = [kindOf(callsInner), kindOf(async () => 'done', inner)];
      const first = startEngine(data, kinds, {
        tools: () => ({
          list: () => [],
          find: () => undefined,
          check: async () => [],
          async call() {
            first.end();
            gate.add('called');
            const envelope = { code, message };
            return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
          },
        }),
      });
      const { id } = await first.runs.start(outer, null, { caller: { session } });
      await expect.poll(() => gate.all).toEqual({ called: 1 });
      await first[Symbol.asyncDispose]();
      await using next = start(data, async () => 'done');
      await next.engine.adopt();
      expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: { output: 'done' } });
    },
  );

  it('is held to a cap of its own beside its family’s, which a raise of the family’s raises', async () => {
    await using data = place();
    await using process = start(
      data,
      (_: unknown, run: RunContext) =>
        run.step('spend', async ({ ledger }) => {
          await ledger.reserve({ tokens: 1, costUsd: 0.6 }, 'a call');
          return 'spent';
        }),
      { cap: { costUsd: 0.5 } },
    );
    await process.engine.adopt();
    const { id } = await process.runs.start(outer, null, { caller: { session }, cap: { costUsd: 9 } });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'paused' });
    await process.runs.resume(id, { cap: { costUsd: 10 } });
    expect(await ended(process.runs, id)).toMatchObject({ output: { output: 'spent' } });
  });

  it('alone pauses it: a server that names a run which is no child of it has failed like others', async () => {
    await using data = place();
    const spends = kindOf(
      (_: unknown, run: RunContext) =>
        run.step('spend', ({ ledger }) => ledger.reserve({ tokens: 9, costUsd: 0 }, 'a call').then(() => 1)),
      inner,
    );
    const calls = kindOf((_: unknown, run: RunContext) =>
      run.step('call', async ({ tools }) => (await tools.call('claim', {})).isError),
    );
    let named = '';
    await using process = startEngine(data, [calls, spends], {
      tools: () => ({
        list: () => [],
        find: () => undefined,
        check: async () => [],
        async call() {
          const envelope = { code: 'NEXUS_BUDGET_EXCEEDED', message: 'no', detail: { runId: named } };
          return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
        },
      }),
    });
    const stranger = await process.runs.start(spends, null, { cap: { tokens: 1 } });
    expect(await ended(process.runs, stranger)).toMatchObject({ status: 'paused' });
    for (named of [stranger.id, 'run_0']) {
      const run = await process.runs.start(calls, null);
      expect(await ended(process.runs, run)).toMatchObject({ status: 'completed', output: true });
    }
  });

  it('answers no step but by the call: one that is to be tried again stays due when it was', async () => {
    await using data = place();
    const kind = kindOf((_: unknown, run: RunContext) =>
      run.step(
        'flaky',
        async ({ tools }) => {
          await tools.call('begin', { arguments: null });
          throw new ToolError('NEXUS_UNAVAILABLE', 'not now');
        },
        { retry: { attempts: 2, delayMs: 3_600_000 } },
      ),
    );
    let end = () => {};
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve;
    });
    await using process = startEngine(data, [kind, kindOf(() => mayEnd, inner)], {
      tools: ({ id }, { step }) => ({
        list: () => [],
        find: () => undefined,
        check: async () => [],
        async call() {
          await process.runs.start(inner, null, { caller: { session, run: { id, step } } });
          return { content: [] };
        },
      }),
    });
    const { id } = await process.runs.start(kind, null, { caller: { session } });
    await expect.poll(async () => (await process.runs.get(id)).steps[0]?.status).toBe('waiting');
    end();
    await expect.poll(async () => (await process.runs.get(id)).children[0]?.status).toBe('completed');
    const [step] = (await process.runs.get(id)).steps;
    expect(step).toMatchObject({ name: 'flaky', status: 'waiting' });
    expect(step?.endedAt).toBeUndefined();
  });
});

describe.each(databasesByTurns)('a run of another user, on $name', ({ place }) => {
  it('is nobody else’s to see, to wait for, to end, to answer, to resume or to run again', async () => {
    await using data = place();
    const kind = kindOf((_: unknown, run: RunContext) => run.ask('may', { message: 'May I?' }));
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const { id } = await runs.start(kind, null, { caller: { session, user: 'alice' } });
    await expect.poll(async () => (await runs.get(id)).questions.length).toBe(1);
    const { signal } = new AbortController();
    const words = {
      get: (user: string) => runs.get(id, { user }),
      wait: (user: string) => runs.wait(id, { user, signal, waitMs: 0 }),
      events: (user: string) => runs.events(id, { user }),
      planRerun: (user: string) => runs.planRerun(id, { user }),
      resume: (user: string) => runs.resume(id, { user, cap: { costUsd: 1 } }),
      answer: (user: string) => runs.answer(id, { action: 'accept' }, { user, question: 'may' }),
      cancel: (user: string) => runs.cancel(id, { user }),
      rerun: (user: string) => runs.rerun(id, { user }),
    } satisfies Partial<Record<keyof Runs, unknown>>;
    for (const [word, ask] of Object.entries(words)) {
      await expect(ask('bob'), word).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    }
    const { status, questions, budget } = await runs.get(id);
    expect([status, questions[0]?.status, budget.cap]).toEqual(['waiting', 'open', undefined]);
    for (const [word, ask] of Object.entries(words)) {
      await expect(ask('alice'), word).resolves.toBeDefined();
    }
  });
});

describe.each(databasesByTurns)('a key of a run that was cancelled, on $name', ({ place }) => {
  it('stands for the run that goes on with what that one had done, once for all who ask', async () => {
    await using data = place();
    const count = counterOf();
    let mayEnd = false;
    const kind = kindOf((_: unknown, run: RunContext) =>
      run.parallel([
        () =>
          run.step<unknown>('held', ({ signal }) => {
            count.add('held');
            return mayEnd ? 'let go' : untilEnded(signal);
          }),
        () => run.step<unknown>('quick', () => count.add('quick')),
      ]),
    );
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const first = await runs.start(kind, { a: 1 }, { key: 'k' });
    await expect
      .poll(async () => (await runs.get(first.id)).steps.map(({ status }) => status))
      .toEqual(['running', 'completed']);
    await runs.cancel(first.id);
    mayEnd = true;
    const again = await Promise.all([1, 2, 3].map(() => runs.start(kind, { a: 1 }, { key: 'k' })));
    const [{ id } = { id: '' }] = again;
    expect(new Set(again.map((run) => run.id)).size).toBe(1);
    expect(id).not.toBe(first.id);
    expect(await ended(runs, id)).toMatchObject({ output: ['let go', 1], rerunOf: first.id });
    expect(count.all).toEqual({ held: 2, quick: 1 });
    expect((await runs.start(kind, { a: 1 }, { key: 'k' })).id).toBe(id);
    await expect(runs.start(kind, { a: 2 }, { key: 'k' })).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
  });
});
