import { type RunContext, type Runs, type ToolCaller, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  databasesByTurns,
  type EngineUnderTest,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const session = { id: 's' };
const inner = { name: 'test.inner', version: 1 };

/** A tool that is a run, as the steps of a run have it. */
function toolsOf(runs: () => Runs) {
  return ({ id }: { id: string }, { step, signal }: { step: string; signal: AbortSignal }): ToolCaller => ({
    list: () => [],
    find: () => undefined,
    check: async () => [],
    async call(_name, params) {
      const { 'nexus/idempotencyKey': key } = params._meta as Record<string, string>;
      const caller = { session, run: { id, step } };
      const begun = await runs().start(inner, null, { caller, ...(key === undefined ? {} : { key }) });
      const { status, output, error, message } = await runs().wait(begun.id, { signal });
      if (status === 'completed') return { content: [], structuredContent: { output } };
      const code = status === 'paused' ? 'NEXUS_BUDGET_EXCEEDED' : (error?.code ?? 'NEXUS_CANCELLED');
      const said = { code, message: message ?? status, retryable: false, detail: { runId: begun.id } };
      return { content: [], isError: true, _meta: { 'nexus/error': said } };
    },
  });
}

type How = 'call' | 'child';

/**
 * A run that pays 1 token for itself, after a call that was refused, 10 and 100 in a run below it, and 1000 at its end,
 * which is paid also where it fails.
 */
function family(data: Place, how: How) {
  const fails = new Set<string>();
  const held = new Set<string>();
  const begun = new Set<string>();
  const pays = (run: RunContext, name: string, tokens: number) =>
    run.step(name, async ({ ledger, signal }) => {
      if (tokens === 1) await (await ledger.reserve({ tokens: 0, costUsd: 0 }, 'x')).settle(spend(0));
      if (tokens === 100 && fails.has(name)) throw new Error('no');
      const { settle } = await ledger.reserve(spend(tokens), 'a call');
      begun.add(name);
      if (held.has(name)) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await settle({ ...spend(0), isUnknown: true });
        signal.throwIfAborted();
      }
      await settle(spend(tokens), 'paid');
      if (fails.has(name)) throw new Error('no');
    });
  const outer = kindOf(async (_: unknown, run) => {
    await pays(run, 'own', 1);
    if (how === 'child') await run.child('call', inner, null);
    else {
      await run.step('call', async ({ tools }) => {
        if (fails.has('call')) throw new Error('no');
        const { isError, _meta } = await tools.call('inner', { arguments: {} });
        const { code, message } = Object(_meta?.['nexus/error']) as {
          code: 'NEXUS_INTERNAL';
          message: string;
        };
        if (isError) throw new ToolError(code, message);
      });
    }
    await pays(run, 'last', 1_000);
  });
  const below = kindOf(
    async (_: unknown, run) => {
      await pays(run, 'first', 10);
      await pays(run, 'second', 100);
    },
    { name: inner.name },
  );
  const process: EngineUnderTest = startEngine(data, [outer, below], { tools: toolsOf(() => process.runs) });
  const { runs } = process;
  return {
    process,
    runs,
    fails,
    held,
    begun,
    begin: (cap?: { tokens: number }) =>
      runs.start(outer, null, { caller: { session }, ...(cap ? { cap } : {}) }),
    goOn: async (id: string) => ended(runs, await runs.takeUp(id)),
    /** What is to be paid again from a step, or in all, and nothing that is not known. */
    async priceOf(id: string, from?: string) {
      const { cost, unknownCalls } = await runs.planRerun(id, from === undefined ? {} : { from });
      expect(unknownCalls).toBeUndefined();
      return cost.tokens;
    },
    below: async (id: string) => (await runs.get(id)).children[0]?.id ?? '',
  };
}

const spend = (tokens: number) => ({ tokens, costUsd: 0 });

const ways = databasesByTurns.flatMap(({ name, place }) =>
  (['call', 'child'] as const).map((how) => ({ name, place, how })),
);

describe.each(ways)('the price of a rerun, by a $how, on $name', ({ place, how }) => {
  it('is what the answers cost where they were paid, also of a run that kept them', async () => {
    await using data = place();
    const { process, runs, fails, begin, goOn, priceOf } = family(data, how);
    await using _ = process;
    fails.add('last');
    const first = await ended(runs, await begin());
    expect(await priceOf(first.id)).toBe(1_111);
    fails.clear();
    const next = await goOn(first.id);
    // What failed was paid for and is asked anew; what was refused had no answer.
    expect(next).toMatchObject({
      status: 'completed',
      usage: { calls: 1, keptCalls: 3 },
      budget: { spent: spend(1_000) },
    });
    expect(await priceOf(next.id)).toBe(1_111);
    expect(await priceOf(next.id, 'call')).toBe(1_110);
    expect(await priceOf(next.id, 'last')).toBe(1_000);
    const last = await ended(runs, await runs.rerun(next.id, { from: 'last' }));
    expect(last.usage).toMatchObject({ calls: 1, keptCalls: 3 });
    expect(await priceOf(last.id)).toBe(1_111);
    expect(await priceOf(last.id, 'call')).toBe(1_110);
    const all = await ended(runs, await runs.rerun(next.id));
    expect(all.budget.spent).toEqual(spend(1_111));
    expect(all.usage.keptCalls).toBeUndefined();
  });

  it('is so of one that goes on twice, and of the run below it', async () => {
    await using data = place();
    const { process, runs, fails, begin, goOn, priceOf, below } = family(data, how);
    await using _ = process;
    fails.add('second');
    const first = await ended(runs, await begin());
    const again = await goOn(first.id);
    expect(again).toMatchObject({ status: 'failed', usage: { calls: 0, keptCalls: 2 } });
    expect(await runs.planRerun(again.id, { goesOn: true })).toMatchObject({ cost: spend(0) });
    expect(await priceOf(again.id)).toBe(11);
    fails.clear();
    const done = await goOn(again.id);
    expect(done).toMatchObject({ status: 'completed', usage: { calls: 2, keptCalls: 2 } });
    expect(done.budget.spent).toEqual(spend(1_100));
    expect(await priceOf(done.id)).toBe(1_111);
    expect(await priceOf(done.id, 'call')).toBe(1_110);
    expect(await priceOf(await below(done.id))).toBe(110);
    expect((await runs.get(await below(done.id))).usage).toMatchObject({ calls: 1, keptCalls: 1 });
  });

  it('is not known of a call that nobody saw the end of', async () => {
    await using data = place();
    const { process, runs, held, begun, begin, goOn, priceOf } = family(data, how);
    await using _ = process;
    held.add('second');
    const { id } = await begin();
    await expect.poll(() => begun.has('second')).toBe(true);
    await runs.cancel(id);
    const unknown = { cost: spend(0), unknownCalls: 1 };
    expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({
      ...unknown,
      repeated: [{ name: 'call', spent: spend(0), unknownCalls: 1, runs: [unknown] }],
    });
    expect(await runs.planRerun(id)).toMatchObject({ cost: spend(11), unknownCalls: 1 });
    held.clear();
    const done = await goOn(id);
    expect(done).toMatchObject({ status: 'completed', usage: { calls: 2, keptCalls: 2 } });
    expect(await priceOf(done.id)).toBe(1_111);
  });

  it('counts as kept what somebody paid who had the run below go on by itself', async () => {
    await using data = place();
    const { process, runs, fails, begin, goOn, priceOf, below } = family(data, how);
    await using _ = process;
    fails.add('second');
    const { id } = await ended(runs, await begin());
    fails.clear();
    await goOn(await below(id));
    const done = await goOn(id);
    expect(done).toMatchObject({ status: 'completed', usage: { calls: 1, keptCalls: 3 } });
    expect(await priceOf(done.id)).toBe(1_111);
    expect(await priceOf(done.id, 'call')).toBe(1_110);
  });

  it('counts nothing of a run below that is done anew by itself, which the step does not use', async () => {
    await using data = place();
    const { process, runs, fails, begin, goOn, below } = family(data, how);
    await using _ = process;
    fails.add('second');
    const { id } = await ended(runs, await begin());
    fails.clear();
    await ended(runs, await runs.rerun(await below(id)));
    expect(await goOn(id)).toMatchObject({ status: 'completed', usage: { calls: 2, keptCalls: 2 } });
  });

  it('has a cap of which the run says how high it must be, where one below it is paused', async () => {
    await using data = place();
    const { process, runs, begin } = family(data, how);
    await using _ = process;
    const { id } = await begin({ tokens: 5 });
    const paused = await ended(runs, id);
    expect(paused).toMatchObject({ status: 'paused' });
    expect(paused.message).toContain(
      'raise the cap to at least 11 tokens and resume the run. That is enough for this call',
    );
    await expect(runs.resume(id, { cap: { tokens: 10 } })).rejects.toThrow('at least 11 tokens');
    await runs.resume(id, { cap: { tokens: 2_000 } });
    expect(await ended(runs, id)).toMatchObject({ status: 'completed' });
  });
});

it.each(databasesByTurns)(
  'the price of a rerun is that of what a run before had begun, on $name',
  async ({ place }) => {
    await using data = place();
    const { process, runs, fails, begin, goOn, priceOf, below } = family(data, 'call');
    await using _ = process;
    fails.add('second');
    const { id } = await ended(runs, await begin());
    fails.clear();
    fails.add('call');
    const again = await goOn(id);
    expect(await runs.planRerun(again.id, { goesOn: true })).toMatchObject({
      repeated: [{ name: 'call', runs: [{ runId: await below(id), isAnew: false, kept: ['first'] }] }],
    });
    expect(await priceOf(again.id)).toBe(11);
  },
);

it.each(databasesByTurns)(
  'a run that somebody had go on by its id is not told as begun anew, on $name',
  async ({ place }) => {
    await using data = place();
    const count = { first: 0, second: 0 };
    let isWell = false;
    const below = kindOf(
      async (_: unknown, run: RunContext) => {
        await run.step('first', () => {
          count.first += 1;
        });
        await run.step('second', () => {
          count.second += 1;
          if (!isWell) throw new Error('no');
        });
      },
      { name: inner.name },
    );
    const outer = kindOf(async (_: unknown, run: RunContext) => {
      await run.step('fails', () => Promise.reject(new Error('no'))).catch(() => {});
      // A tool that fails has answered, and its step is done.
      await run.step('call', async ({ tools }) => {
        await tools.call('inner', { arguments: {} });
      });
      await run.step('last', () => {
        if (!isWell) throw new Error('no');
      });
    });
    const process: EngineUnderTest = startEngine(data, [outer, below], {
      tools: toolsOf(() => process.runs),
    });
    await using _ = process;
    const { runs } = process;
    const { id } = await runs.start(outer, null, { caller: { session } });
    expect(await ended(runs, id)).toMatchObject({ status: 'failed' });
    isWell = true;
    const within = (await runs.get(id)).children[0]?.id ?? '';
    const { id: resumed } = await ended(runs, await runs.takeUp(within));
    const { repeated } = await runs.planRerun(id, { goesOn: true });
    expect(repeated.find(({ name }) => name === 'call')).toMatchObject({
      runs: [{ runId: resumed, isAnew: false, kept: ['first', 'second'], repeated: [] }],
    });
    expect(await ended(runs, await runs.takeUp(id))).toMatchObject({ status: 'completed' });
    expect(count).toEqual({ first: 1, second: 2 });
  },
);
