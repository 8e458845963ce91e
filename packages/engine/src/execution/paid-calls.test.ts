import type { Ledger, Run, RunContext, Spend, StepContext } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  type EngineUnderTest,
  ended,
  kindOf,
  startEngine,
} from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';
import { LostRun } from '../record/fence.ts';
import { confirmOwner, reserve } from '../record/paying.ts';

const COST: Spend = { tokens: 30, costUsd: 0.03 };
const AT_MOST: Spend = { tokens: 1_000, costUsd: 1 };
const NOTHING: Spend = { tokens: 0, costUsd: 0 };

/** A gate that work waits at. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { open, opened, reach, reached };
}

/** One call of a model: answered from the record where it is there, else by `make`, and then paid. */
async function call(
  ledger: Ledger,
  make: () => unknown | Promise<unknown>,
  { asked = 'what?', cost = COST, atMost = AT_MOST }: { asked?: string; cost?: Spend; atMost?: Spend } = {},
): Promise<unknown> {
  const held = await ledger.reserve(atMost, 'A call', { asked });
  if (held.answer) return held.answer.value;
  await held.confirm();
  const answer = await make();
  await held.settle(cost, answer);
  return answer;
}

async function rowsOf({ engine }: EngineUnderTest) {
  const { on } = await engine.open();
  return on.db.selectFrom('runs_spending').selectAll().orderBy('id').execute();
}

const budgetOf = async ({ runs }: EngineUnderTest, run: Run) => (await runs.get(run.id)).budget;

describe.each(databasesByTurns)('a call that is paid for, on $name', ({ place }) => {
  /** A process that dies in a step: at its gate, or in the call itself. */
  function dying(work: (step: StepContext, here: ReturnType<typeof gate>) => Promise<unknown>) {
    const here = gate();
    const kind = kindOf((_: null, run: RunContext) => run.step('ask', (step) => work(step, here)));
    return { here, kind };
  }

  it('and answered is not made again where its process died before anything was made of the answer', async () => {
    await using data = place();
    const count = counterOf();
    const { here, kind } = dying(async ({ ledger }, { reach, opened }) => {
      const answers = [
        await call(ledger, () => `first ${count.add('first')}`, { asked: 'first' }),
        await call(ledger, () => `second ${count.add('second')}`, { asked: 'second' }),
      ];
      if (count.add('came so far') === 1) {
        reach();
        await opened;
      }
      return answers;
    });
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    await here.reached;
    await first.die();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({
      output: ['first 1', 'second 1'],
      budget: { spent: { tokens: 60, costUsd: 0.06 }, reserved: { tokens: 0 } },
    });
    expect(count.all).toMatchObject({ first: 1, second: 1 });
    // Its answers are the step's by then: nothing is kept twice.
    expect((await rowsOf(next)).map(({ answer }) => answer)).toEqual([null, null]);
  });

  it('and whose answer had only just come is not made again, and what came is read under the cap as it is', async () => {
    await using data = place();
    const count = counterOf();
    const { here, kind } = dying(async ({ ledger }, { reach, opened }) => {
      const held = await ledger.reserve({ tokens: 900, costUsd: 0 }, 'A call', { asked: 'what?' });
      if (!held.arrived) {
        held.keep?.({ raw: `answer ${count.add('made')}` });
        // It costs more than it was said to, so that the first would find no room any more.
        const small = {
          asked: 'small',
          cost: { tokens: 200, costUsd: 0 },
          atMost: { tokens: 50, costUsd: 0 },
        };
        await call(ledger, () => 'small', small);
        reach();
        await opened;
      }
      const { raw } = (held.arrived?.value ?? {}) as { raw: string };
      await held.settle(COST, `read from ${raw}`);
      return raw;
    });
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null, { cap: { tokens: 1_000 } });
    await here.reached;
    await expect
      .poll(async () => (await rowsOf(first)).map(({ answer }) => answer))
      .toEqual(['{"raw":"answer 1"}', '"small"']);
    await first.die();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({
      output: 'answer 1',
      budget: { spent: { tokens: 230 }, reserved: { tokens: 0 } },
    });
    expect(count.all).toMatchObject({ made: 1 });
    expect((await rowsOf(next)).map(({ answer }) => answer)).toEqual([null, null]);
  });

  it('and settled keeps its answer, however late what had come of it is written', async () => {
    await using data = place();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step('ask', async ({ ledger }) => {
        const held = await ledger.reserve(AT_MOST, 'A call', { asked: 'what?' });
        await held.settle(COST, 'read');
        held.keep?.('late');
        await new Promise((resolve) => setTimeout(resolve, 50));
        return (await rowsOf(engine)).map(({ answer }) => answer);
      }),
    );
    await using engine = startEngine(data, [kind]);
    const run = await engine.runs.start(kind, null);
    expect(await ended(engine.runs, run)).toMatchObject({ output: ['"read"'] });
  });

  it('and is asked otherwise when its step is done again is another call', async () => {
    await using data = place();
    const count = counterOf();
    const { here, kind } = dying(async ({ ledger, attempt }, { reach, opened }) => {
      const answer = await call(ledger, () => count.add('asked'), { asked: `attempt ${attempt}` });
      if (attempt === 1) {
        reach();
        await opened;
      }
      return answer;
    });
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    await here.reached;
    await first.die();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ output: 2, budget: { spent: { tokens: 60 } } });
  });

  it('and is interrupted costs what nobody knows, beside what its repetition costs', async () => {
    await using data = place();
    const count = counterOf();
    const { here, kind } = dying(({ ledger }, { reach, opened }) =>
      call(ledger, async () => {
        if (count.add('asked') > 1) return 'again';
        reach();
        await opened;
        return 'never heard of';
      }),
    );
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null, { cap: { tokens: 1_010 } });
    await here.reached;
    expect(await budgetOf(first, run)).toMatchObject({ reserved: AT_MOST, spent: { tokens: 0 } });
    await first.die();
    // A process that finds the death, and can't go on with the run itself.
    await using finder = startEngine(data, []);
    await finder.engine.adopt();
    await expect
      .poll(() => budgetOf(finder, run))
      .toMatchObject({ unknownCalls: 1, reserved: { tokens: 0 }, spent: { tokens: 0 } });
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    const done = await ended(next.runs, run);
    expect(done).toMatchObject({ output: 'again', budget: { spent: COST, reserved: { tokens: 0 } } });
    expect(done.budget.unknownCalls).toBe(1);
    expect(done.usage).toMatchObject({ calls: 1, unknownCalls: 1 });
    expect(await rowsOf(next)).toHaveLength(1);
  });

  it('and is interrupted is told as such before anybody goes on, as its step is, and after a cancel', async () => {
    await using data = place();
    const { here, kind } = dying(({ ledger }, { reach, opened }) =>
      call(ledger, async () => {
        reach();
        await opened;
        return 'never heard of';
      }),
    );
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    await here.reached;
    const stepsOf = async ({ runs }: Pick<typeof first, 'runs'>) =>
      (await runs.get(run.id)).steps.map(({ status }) => status);
    expect((await first.runs.get(run.id)).usage.unknownCalls).toBeUndefined();
    expect(await stepsOf(first)).toEqual(['running']);
    await first.die();
    await using other = startEngine(data, []);
    expect(await other.runs.get(run.id)).toMatchObject({ status: 'queued', usage: { unknownCalls: 1 } });
    expect(await stepsOf(other)).toEqual(['interrupted']);
    await other.runs.cancel(run.id);
    expect(await other.runs.get(run.id)).toMatchObject({ status: 'cancelled', usage: { unknownCalls: 1 } });
    expect(await stepsOf(other)).toEqual(['interrupted']);
  });

  it('and was cancelled without an end is said to be unknown, and not counted at its most', async () => {
    await using data = place();
    const told = gate();
    const { here, kind } = dying(async ({ ledger, signal }, { reach }) => {
      const held = await ledger.reserve(AT_MOST, 'A call');
      reach();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await held.settle({ ...NOTHING, isUnknown: true });
      told.reach();
    });
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null);
    await here.reached;
    await process.runs.cancel(run.id);
    await told.reached;
    expect(await budgetOf(process, run)).toMatchObject({ unknownCalls: 1, spent: { tokens: 0 } });
  });

  it.each(['ends', 'dies'] as const)(
    'and is interrupted as its process %s costs what nobody knows, whether or not its repetition comes to anything',
    async (how) => {
      await using data = place();
      const count = counterOf();
      const { here, kind } = dying(async ({ ledger, signal }, { reach }) => {
        const tried: unknown[] = [];
        for (const asked of ['first', 'second']) {
          const held = await ledger.reserve(AT_MOST, 'A call', { asked });
          if (count.add(asked) > 1) {
            // Of the first nothing is heard this time either.
            await (asked === 'first' ? held.settle(NOTHING) : held.settle(COST, 'answer'));
            tried.push(asked);
            continue;
          }
          if (asked === 'first') continue;
          reach();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await held.settle({ ...NOTHING, isUnknown: true });
          throw signal.reason;
        }
        return tried;
      });
      const first = startEngine(data, [kind]);
      const run = await first.runs.start(kind, null);
      await here.reached;
      if (how === 'dies') await first.die();
      else {
        first.end();
        await first.engine.stop(100);
        await first.store.close();
      }
      await using next = startEngine(data, [kind]);
      await next.engine.adopt();
      expect(await ended(next.runs, run)).toMatchObject({
        output: ['first', 'second'],
        budget: { spent: COST, reserved: { tokens: 0 }, unknownCalls: 2 },
      });
      expect(await rowsOf(next)).toHaveLength(2);
    },
  );

  it('and is given up by its step holds no room for others, and is said to be unknown', async () => {
    await using data = place();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step('ask', async ({ ledger }) => {
        const given = await ledger.reserve(AT_MOST, 'A call', { asked: 'given up' });
        await given.settle({ ...NOTHING, isUnknown: true });
        return call(ledger, () => 'answer', { asked: 'other' });
      }),
    );
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null, { cap: { tokens: AT_MOST.tokens } });
    expect(await ended(process.runs, run)).toMatchObject({
      output: 'answer',
      budget: { spent: COST, unknownCalls: 1 },
    });
  });

  it('is made by nobody whose run was taken over, though nobody has told them', async () => {
    await using data = place();
    const { here, kind } = dying(async (_step, { reach, opened }) => {
      reach();
      await opened;
    });
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null);
    await here.reached;
    const { on, worker } = await process.engine.open();
    const before = { runId: run.id, owner: await worker.join(), epoch: 1 };
    const late = { id: 'late', rootId: run.id, runId: run.id, step: 'ask', digest: null, estimate: COST };
    expect(await reserve(on, before, { ...late, id: 'in time' })).toMatchObject({ is: 'reserved' });
    await on.db.updateTable('runs_runs').set({ epoch: 2 }).where('id', '=', run.id).execute();
    await expect(reserve(on, before, late)).rejects.toThrow(LostRun);
    await expect(confirmOwner(on, before)).rejects.toThrow(LostRun);
    expect((await rowsOf(process)).map(({ id }) => id)).toEqual(['in time']);
    here.open();
  });

  /** Asks once more whose the run is, when the test says so. */
  function confirming() {
    const confirmed: unknown[] = [];
    const work = dying(async ({ ledger }, { reach, opened }) => {
      const held = await ledger.reserve(AT_MOST, 'A call');
      reach();
      await opened;
      confirmed.push(await held.confirm().catch((error: unknown) => error));
      return 'paid';
    });
    return { ...work, confirmed };
  }

  it('is confirmed before its request where the process may have been stopped since it was reserved', async () => {
    await using data = place();
    let stoppedMs = 0;
    const { here, kind, confirmed } = confirming();
    const ground = { ...machine, now: () => machine.now() + stoppedMs };
    await using process = startEngine(data, [kind], { ground });
    const run = await process.runs.start(kind, null);
    await here.reached;
    const { on } = await process.engine.open();
    await on.db.updateTable('runs_runs').set({ epoch: 2 }).where('id', '=', run.id).execute();
    stoppedMs = 60_000;
    here.open();
    await expect.poll(() => confirmed).toHaveLength(1);
    expect(confirmed[0]).toMatchObject({ code: 'NEXUS_OUTCOME_UNKNOWN' });
  });

  it('is confirmed where the process was stopped before it read that it was reserved', async () => {
    await using data = place();
    let stoppedMs = 0;
    const confirmed: unknown[] = [];
    const { kind } = dying(async ({ ledger }) => {
      const held = await ledger.reserve(AT_MOST, 'A call');
      confirmed.push(await held.confirm().catch((error: unknown) => error));
      return 'paid';
    });
    const ground = { ...machine, now: () => machine.now() + stoppedMs };
    await using process = startEngine(data, [kind], { ground });
    const { db } = (await process.engine.open()).on;
    const transaction = db.transaction.bind(db);
    db.transaction = () => {
      const begun = transaction();
      const execute = begun.execute.bind(begun);
      return Object.assign(begun, {
        async execute(work: Parameters<typeof execute>[0]) {
          const made = await execute(work);
          if (Object(made).is !== 'reserved' || stoppedMs > 0) return made;
          stoppedMs = 60_000;
          await db.updateTable('runs_runs').set({ epoch: 2 }).execute();
          return made;
        },
      });
    };
    await process.runs.start(kind, null);
    await expect.poll(() => confirmed).toHaveLength(1);
    expect(confirmed[0]).toMatchObject({ code: 'NEXUS_OUTCOME_UNKNOWN' });
  });

  it('is settled by whoever made it last: a late word of the one before changes nothing', async () => {
    await using data = place();
    const { here, kind } = dying(async ({ ledger, attempt }, { reach, opened }) => {
      const held = await ledger.reserve(AT_MOST, 'A call', 'x');
      if (held.answer) return held.answer.value;
      if (attempt > 1) {
        await held.settle({ tokens: 7, costUsd: 0 }, 'of the next');
        return 'of the next';
      }
      reach();
      await opened;
      await held.settle({ tokens: 900, costUsd: 0 }, 'of the one before');
      late.reach();
      return 'late';
    });
    const late = gate();
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    await here.reached;
    const { on, worker } = await first.engine.open();
    await using next = startEngine(data, [kind]);
    await on.db
      .updateTable('runs_runs')
      .set({ owner: crypto.randomUUID() })
      .where('owner', '=', await worker.join())
      .execute();
    await next.engine.adopt();
    await ended(next.runs, run);
    here.open();
    await late.reached;
    expect(await ended(next.runs, run)).toMatchObject({
      output: 'of the next',
      budget: { spent: { tokens: 7 } },
    });
    await first.engine.stop(1_000);
    await first.store.close();
  });

  it('and answered is not made again after a pause, though another call of its step had no room', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step('ask', async ({ ledger }) => {
        const small = { tokens: 50, costUsd: 0 };
        return [
          await call(ledger, () => count.add('first'), { asked: 'first', atMost: small }),
          await call(ledger, () => count.add('second'), { asked: 'second' }),
        ];
      }),
    );
    await using process = startEngine(data, [kind]);
    await process.engine.adopt();
    const run = await process.runs.start(kind, null, { cap: { tokens: 100 } });
    const paused = await ended(process.runs, run);
    expect(paused.error?.message).toBe(
      'A call may cost 1000 tokens and $1.0000, and 30 tokens and $0.0300 of at most 100 tokens are spent. What is done is kept: raise the cap to at least 1030 tokens and resume the run. That is enough for this call, and not for those after it.',
    );
    for (const tokens of [5, 30, 1_029]) {
      await expect(process.runs.resume(run.id, { cap: { tokens } })).rejects.toMatchObject({
        code: 'NEXUS_BUDGET_EXCEEDED',
        message: expect.stringMatching(/30 tokens are spent.*1000 tokens.*at least 1030 tokens/),
      });
    }
    expect(await process.runs.get(run.id)).toMatchObject({
      status: 'paused',
      budget: { cap: { tokens: 100 } },
    });
    await process.runs.resume(run.id, { cap: { tokens: 1_030 } });
    expect(await ended(process.runs, run)).toMatchObject({
      output: [1, 1],
      budget: { spent: { tokens: 60 } },
    });
    expect(count.all).toEqual({ first: 1, second: 1 });
  });

  it('goes ahead at the very cap that its pause asked for, whatever was in flight beside it', async () => {
    await using data = place();
    const count = counterOf();
    const asks = (run: RunContext, name: string, tokens: number, until?: Promise<void>) =>
      run.step(name, async ({ ledger }) => {
        const held = await ledger.reserve({ tokens, costUsd: 0 }, 'A call');
        count.add(name);
        await until;
        await held.settle({ tokens, costUsd: 0 });
      });
    let settle = () => {};
    const over = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const kind = kindOf(async (_: null, run: RunContext) => {
      await asks(run, 'before', 30);
      await run.parallel([
        () => asks(run, 'in flight', 60, over),
        async () => {
          await expect.poll(() => count.all).toHaveProperty('in flight');
          await asks(run, 'pending', 80);
        },
      ]);
      await asks(run, 'next', 80);
    });
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null, { cap: { tokens: 100 } });
    await expect.poll(async () => (await process.runs.get(run.id)).steps.length).toBe(3);
    await expect
      .poll(async () => (await process.runs.get(run.id)).steps.map(({ status }) => status))
      .toEqual(['completed', 'running', 'waiting']);
    settle();
    const stated = (text = '') => Number(/to at least (\d+) tokens/.exec(text)?.[1]);
    const paused = await ended(process.runs, run);
    await process.runs.resume(run.id, { cap: { tokens: stated(paused.message) } });
    const again = await ended(process.runs, run);
    expect([again.status, count.all]).toEqual(['paused', { before: 1, 'in flight': 1, pending: 1 }]);
    expect(again.message).toContain('That is enough for this call, and not for those after it.');
    await process.runs.resume(run.id, { cap: { tokens: stated(again.message) } });
    expect(await ended(process.runs, run)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ before: 1, 'in flight': 1, next: 1, pending: 1 });
  });

  it('is made again where the step failed by its answer and is tried again', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step(
        'ask',
        async ({ ledger }) => {
          const answer = await call(ledger, () => count.add('asked'));
          if (answer === 1) throw new Error('no good');
          return answer;
        },
        { retry: { attempts: 2, delayMs: 1, isRetryable: () => true } },
      ),
    );
    await using process = startEngine(data, [kind]);
    expect(await ended(process.runs, await process.runs.start(kind, null))).toMatchObject({
      output: 2,
      budget: { spent: { tokens: 60 } },
    });
  });

  it('without a price has no room under a cap of money, and is told how to get one', async () => {
    await using data = place();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step('ask', async ({ ledger }) => {
        const held = await ledger.reserve({ tokens: 10, costUsd: 0, isUnpriced: true }, 'ollama:qwen (code)');
        await held.settle({ tokens: 10, costUsd: 0 });
      }),
    );
    await using process = startEngine(data, [kind]);
    const refused = await ended(process.runs, await process.runs.start(kind, null, { cap: { costUsd: 9 } }));
    expect(refused).toMatchObject({
      status: 'paused',
      error: {
        code: 'NEXUS_BUDGET_EXCEEDED',
        message: expect.stringContaining('models.models["ollama:qwen"].price'),
      },
    });
    const free = await ended(process.runs, await process.runs.start(kind, null, { cap: { tokens: 10 } }));
    expect(free).toMatchObject({ status: 'completed' });
  });

  it('waits for those in flight, and a run pauses only at what is really spent', async () => {
    await using data = place();
    const steps = Array.from({ length: 20 }, (_, at) => at);
    const kind = kindOf((_: null, run: RunContext) =>
      run.parallel(
        steps.map(
          (at) => () => run.step(`ask ${at}`, ({ ledger }) => call(ledger, () => at, { asked: `${at}` })),
        ),
      ),
    );
    await using process = startEngine(data, [kind]);
    // Room for one at its most, beside what the others come to.
    const cap = { tokens: 19 * COST.tokens + AT_MOST.tokens };
    expect(await ended(process.runs, await process.runs.start(kind, null, { cap }))).toMatchObject({
      status: 'completed',
      output: steps,
      budget: { spent: { tokens: 600 } },
    });
  });

  it('never passes a cap with those of other runs of its family, reserved at the same moment', async () => {
    await using data = place();
    const { here, kind: child } = dying(async (_step, { opened }) => opened);
    const parent = kindOf(
      (_: null, run: RunContext) =>
        run.parallel(Array.from({ length: 8 }, (_each, at) => () => run.child(`child ${at}`, child, null))),
      { name: 'test.parent' },
    );
    await using process = startEngine(data, [parent, child]);
    const { id: rootId } = await process.runs.start(parent, null, { cap: { tokens: 150 } });
    const { on } = await process.engine.open();
    const children = () =>
      on.db.selectFrom('runs_runs').selectAll().where('parent_id', '=', rootId).execute();
    await expect.poll(children).toHaveLength(8);
    const estimate = { tokens: 100, costUsd: 0 };
    const reserving = (await children()).map(({ id: runId, owner, epoch }) => {
      const call = { id: `call of ${runId}`, rootId, runId, step: 'ask', digest: null, estimate };
      return reserve(on, { runId, owner: owner ?? '', epoch }, call);
    });
    const reserved = (await Promise.all(reserving)).filter((each) => each.is === 'reserved');
    expect(reserved).toHaveLength(1);
    here.open();
  });

  it('keeps its answer until its run is completed, for who has one that failed go on', async () => {
    await using data = place();
    const waits = kindOf(
      async (_: null, run: RunContext) => {
        await run.step('ask', async ({ ledger }) => call(ledger, () => 'answer'));
        await run.ask('then', { message: 'Go on?' });
      },
      { name: 'test.waits' },
    );
    await using process = startEngine(data, [waits]);
    const { runs } = process;
    const { id } = await runs.start(waits, null);
    await expect.poll(async () => (await runs.get(id)).questions).toHaveLength(1);
    const answers = async () => (await rowsOf(process)).map(({ answer, is_settled }) => [answer, is_settled]);
    expect(await answers()).toEqual([['"answer"', 1]]);
    await runs.answer(id, { action: 'accept' });
    await ended(runs, id);
    expect(await answers()).toEqual([[null, 1]]);
  });

  it('never passes a cap with others side by side, whatever each comes to cost', async () => {
    const calls = fc.array(
      fc.record({ atMost: fc.nat(100), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      {
        maxLength: 8,
      },
    );
    await using data = place();
    type Input = readonly { readonly atMost: number; readonly share: number }[];
    let inFlight = 0;
    let most = 0;
    const kind = kindOf((input: Input, run: RunContext) =>
      run.settle(
        input.map(
          ({ atMost, share }, at) =>
            () =>
              run.step(`ask ${at}`, ({ ledger }) => {
                const cost = { tokens: Math.floor(atMost * share), costUsd: 0 };
                const make = async () => {
                  inFlight += atMost;
                  most = Math.max(most, inFlight);
                  await new Promise((resolve) => setImmediate(resolve));
                  inFlight -= atMost;
                };
                return call(ledger, make, { asked: `${at}`, cost, atMost: { tokens: atMost, costUsd: 0 } });
              }),
        ),
      ),
    );
    await using process = startEngine(data, [kind]);
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 300 }), async (input, tokens) => {
        most = 0;
        const { status, budget } = await ended(
          process.runs,
          await process.runs.start(kind, input, { cap: { tokens } }),
        );
        expect(budget.spent.tokens).toBeLessThanOrEqual(tokens);
        expect(most).toBeLessThanOrEqual(tokens);
        const spentByAll = input.reduce((sum, { atMost, share }) => sum + Math.floor(atMost * share), 0);
        if (status === 'completed') expect(budget.spent.tokens).toBe(spentByAll);
        // It paused for a call that has no room beside what is spent.
        else expect(input.some(({ atMost }) => budget.spent.tokens + atMost > tokens)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
