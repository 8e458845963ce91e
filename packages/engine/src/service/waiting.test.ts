import {
  type Answer,
  type RunContext,
  type SamplingAnswer,
  type SamplingRequest,
  ToolError,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { counterOf, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';
import { openQuestions } from '../record/questions.ts';
import { Dialogues } from '../waiting/dialogues.ts';

const { signal } = new AbortController();
const yes: Answer = { action: 'accept' };

describe.each(databasesByTurns)('a run that waits, on $name', ({ place }) => {
  it('for two people takes their answers in any order, after a restart too', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) =>
      run.parallel([
        () => run.ask('first', { message: 'One?' }),
        () => run.ask('second', { message: 'Two?', subject: { tool: 't', arguments: { a: 1 } } }),
      ]),
    );
    const before = startEngine(data, [kind]);
    const { id } = await before.runs.start(kind, null);
    await expect.poll(async () => (await before.runs.get(id)).questions.length).toBe(2);
    expect((await before.runs.get(id)).status).toBe('waiting');
    await before.engine.stop(200);
    await before.store.close();
    await using after = startEngine(data, [kind]);
    await after.engine.adopt();
    const [, second] = (await after.runs.get(id)).questions;
    await expect(after.runs.answer(id, yes)).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    await expect(after.runs.answer(id, yes, { question: 'second' })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
      message: expect.stringContaining(second?.digest ?? '-'),
    });
    await after.runs.answer(id, yes, { question: 'second', digest: second?.digest ?? '' });
    await expect(after.runs.answer(id, yes, { question: 'second' })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
    await after.runs.answer(id, { action: 'decline' });
    expect(await ended(after.runs, id)).toMatchObject({ output: [{ action: 'decline' }, yes] });
  });

  it('finds an answer that came before its question', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      await run.step('held', () => new Promise((resolve) => setTimeout(resolve, 100)));
      return run.ask('later', { message: 'Now?' });
    });
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await process.runs.answer(id, yes, { question: 'later' });
    expect(await ended(process.runs, id)).toMatchObject({ output: yes });
  });

  it('asks whoever waits for it, once, and tells him that it asks what he leaves open', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => [
      await run.ask('here', { message: 'Here?' }),
      await run.ask('nobody', { message: 'Nobody?' }),
    ]);
    await using process = startEngine(data, [kind]);
    const asked: string[] = [];
    const { id } = await process.runs.start(kind, null);
    const waited = await process.runs.wait(id, {
      signal,
      async ask({ name }) {
        asked.push(name);
        return name === 'here' ? yes : undefined;
      },
    });
    expect(waited).toMatchObject({ status: 'waiting', asks: [{ name: 'nobody' }] });
    expect(asked).toEqual(['here', 'nobody']);
  });

  it('is no longer left open by who has answered, though the question was read before that', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.ask('here', { message: 'Here?' }));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    const { on } = await process.engine.open();
    await expect.poll(() => openQuestions(on, [id])).toHaveLength(1);
    const open = await openQuestions(on, [id]);
    for (const [answer, isLeft] of [
      [undefined, true],
      [yes, false],
    ] as const) {
      await new Promise<void>((resolve) => {
        using dialogues = new Dialogues(
          on,
          async () => answer,
          () => {
            expect(dialogues.isLeft(open)).toBe(isLeft);
            resolve();
          },
        );
        dialogues.put(open);
      });
    }
  });

  it('goes on where nobody answers in time', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.ask('nobody', { message: 'Nobody?', timeoutMs: 30 }));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    expect((await ended(process.runs, id)).output).toEqual({ action: 'cancel' });
  });

  it('ends the wait with what it asks once all was left open and nothing else is done', async () => {
    await using data = place();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const child = kindOf((_: null, run) => run.ask('deep', { message: 'Deep?' }), { name: 'test.child' });
    const kind = kindOf((_: null, run) =>
      run.parallel([
        () => run.child('c', child, null),
        () => run.ask('here', { message: 'Here?' }),
        () => run.step('work', () => held),
      ]),
    );
    await using process = startEngine(data, [kind, child]);
    const { id } = await process.runs.start(kind, null);
    const asked: string[] = [];
    const waiting = process.runs.wait(id, {
      signal,
      async ask({ name }) {
        asked.push(name);
        // Both are over before the work is.
        if (asked.length === 2) setImmediate(release);
        return undefined;
      },
    });
    const waited = await waiting;
    expect(waited.asks?.map(({ name }) => name).sort()).toEqual(['deep', 'here']);
    expect(waited.status).toBe('waiting');
    expect(asked.sort()).toEqual(['deep', 'here']);
    expect((await process.runs.get(id)).steps.find(({ name }) => name === 'work')?.status).toBe('completed');
    expect((await process.runs.list({ limit: 9 })).runs[0]?.asks).toHaveLength(2);
  });

  it('withdraws the other dialogues once one of several who wait has answered', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.ask('one', { message: 'Which?' }));
    await using process = startEngine(data, [kind]);
    await using other = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    let answerNow: (answer: Answer) => void = () => {};
    const withdrawn: unknown[] = [];
    let inDialogue = 0;
    const silent = other.runs.wait(id, {
      signal,
      ask: (_, own) =>
        new Promise((_resolve, reject) => {
          inDialogue += 1;
          own.addEventListener('abort', () => {
            withdrawn.push((own.reason as ToolError).code);
            reject(own.reason);
          });
        }),
    });
    const answering = process.runs.wait(id, {
      signal,
      ask: () =>
        new Promise((resolve) => {
          inDialogue += 1;
          answerNow = resolve;
        }),
    });
    await expect.poll(() => inDialogue, { timeout: 10_000 }).toBe(2);
    answerNow({ action: 'decline' });
    expect(await answering).toMatchObject({ output: { action: 'decline' } });
    expect(await silent).toMatchObject({ output: { action: 'decline' } });
    expect(withdrawn).toEqual(['NEXUS_CANCELLED']);
  });

  it('is parked when it does nothing else, and goes on when its time or its answer comes', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf(async (_: null, run) => {
      await run.step('once', () => count.add('once'));
      await run.sleep('night', 3_600_000);
      return run.ask('then', { message: 'Go on?' });
    });
    await using process = startEngine(data, [kind], { parkAfterMs: 10 });
    await process.engine.adopt();
    const { id } = await process.runs.start(kind, null);
    const { on, worker } = await process.engine.open();
    const status = async () =>
      (await on.db.selectFrom('runs_runs').select('status').where('id', '=', id).executeTakeFirst())?.status;
    await expect.poll(status).toBe('waiting');
    await expect.poll(() => worker.has(id)).toBe(false);
    data.ahead(3_600_000);
    await worker.tick();
    await expect.poll(async () => (await process.runs.get(id)).questions.length).toBe(1);
    await expect.poll(status).toBe('waiting');
    await process.runs.answer(id, yes);
    expect(await ended(process.runs, id)).toMatchObject({ output: yes });
    expect(count.all).toEqual({ once: 1 });
  });

  it('has its caller’s client again after it was parked, and its children have it too, as long as the call is there', async () => {
    await using data = place();
    const asked: string[] = [];
    const call = {
      session: { id: 's' },
      sampling: 'text' as const,
      sample: async ({ systemPrompt = '' }: SamplingRequest): Promise<SamplingAnswer> => {
        asked.push(systemPrompt);
        return { model: 'm', role: 'assistant', content: { type: 'text', text: 'hello' } };
      },
    };
    const ask = (run: RunContext, name: string) =>
      run.step(name, async ({ sample, sampling, session }) => {
        await sample?.({ messages: [], maxTokens: 1, systemPrompt: name });
        return [session?.id, sampling];
      });
    const child = kindOf((_: null, run) => ask(run, 'child'), { name: 'test.child' });
    const kind = kindOf(async (_: null, run) => {
      await ask(run, 'before');
      await run.sleep('night', 3_600_000);
      return [await ask(run, 'after'), await run.child('child', child, null)];
    });
    await using process = startEngine(data, [kind, child], { parkAfterMs: 10 });
    await process.engine.adopt();
    const { id } = await process.runs.start(kind, null, { caller: call });
    const { worker } = await process.engine.open();
    await expect.poll(() => worker.has(id)).toBe(false);
    data.ahead(3_600_000);
    await worker.tick();
    const lent = ['s', 'text'];
    expect(await ended(process.runs, id)).toMatchObject({ output: [lent, lent] });
    expect(asked).toEqual(['before', 'after', 'child']);
  });

  it('ends with its children when it is cancelled, and their work is told', async () => {
    await using data = place();
    const told: string[] = [];
    const child = kindOf(
      (_: null, run) =>
        run.step(
          'deep',
          ({ signal: own }) =>
            new Promise((_resolve, reject) =>
              own.addEventListener('abort', () => {
                told.push((own.reason as ToolError).code);
                reject(own.reason);
              }),
            ),
        ),
      { name: 'test.child' },
    );
    const parent = kindOf((_: null, run) => run.child('c', child, null));
    await using process = startEngine(data, [parent, child]);
    await using other = startEngine(data, [parent, child]);
    const { id } = await process.runs.start(parent, null);
    await expect.poll(async () => (await process.runs.get(id)).children[0]?.steps.length).toBe(1);
    expect(await other.runs.cancel(id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => told, { timeout: 10_000 }).toEqual(['NEXUS_CANCELLED']);
    expect((await other.runs.get(id)).children).toMatchObject([{ status: 'cancelled' }]);
    expect(await other.runs.cancel(id)).toMatchObject({ status: 'cancelled' });
  });

  it('is out of time by the database’s clock', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) => run.sleep('long', 1e9));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null, { timeoutMs: 60_000 });
    data.ahead(61_000);
    await process.engine.adopt();
    expect(await ended(process.runs, id)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_TIMEOUT' },
    });
  });
});

describe.each(databasesByTurns)('a family of runs, on $name', ({ place }) => {
  it('shares one budget, pauses at its cap with what is done, and goes on when it is raised', async () => {
    await using data = place();
    const count = counterOf();
    const child = kindOf(
      async (input: { n: number }, run) =>
        run.step('model', async ({ ledger }) => {
          const held = await ledger.reserve({ tokens: 40, costUsd: 0.04 }, 'A call');
          count.add(`paid-${input.n}`);
          await held.settle({ tokens: 30, costUsd: 0.03 });
          return input.n;
        }),
      { name: 'test.child' },
    );
    const parent = kindOf(async (_: null, run) => {
      const done: number[] = [];
      for (let n = 1; n <= 3; n += 1) done.push((await run.child(`c${n}`, child, { n })) as number);
      return done;
    });
    await using process = startEngine(data, [parent, child]);
    await process.engine.adopt();
    const { id } = await process.runs.start(parent, null, { cap: { costUsd: 0.08 } });
    const paused = await ended(process.runs, id);
    expect(paused).toMatchObject({ status: 'paused', budget: { spent: { tokens: 60, costUsd: 0.06 } } });
    expect(count.all).toEqual({ 'paid-1': 1, 'paid-2': 1 });
    const { children } = await process.runs.get(id);
    expect(children[2]).toMatchObject({ status: 'paused', error: { code: 'NEXUS_BUDGET_EXCEEDED' } });
    // At which it would pause again at once: below what is spent, and below what the next call may cost.
    for (const cap of [{ tokens: 5 }, { costUsd: 0.05 }, { costUsd: 0.09 }]) {
      await expect(process.runs.resume(id, { cap })).rejects.toMatchObject({
        code: 'NEXUS_BUDGET_EXCEEDED',
        detail: { needed: { tokens: 100 } },
      });
    }
    expect(await ended(process.runs, id)).toMatchObject({
      status: 'paused',
      budget: { cap: { costUsd: 0.08 } },
    });
    await process.runs.resume(id, { cap: { costUsd: 0.2 } });
    expect(await ended(process.runs, id)).toMatchObject({
      status: 'completed',
      output: [1, 2, 3],
      budget: { spent: { tokens: 90 } },
    });
    expect(count.all).toEqual({ 'paid-1': 1, 'paid-2': 1, 'paid-3': 1 });
  });

  it('is never over its cap, however many ask at once', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) =>
      run.settle(
        Array.from(
          { length: 10 },
          (_each, at) => () =>
            run.step(`s${at}`, async ({ ledger }) => {
              const held = await ledger.reserve({ tokens: 30, costUsd: 0 }, 'A call');
              await held.settle({ tokens: 30, costUsd: 0 });
            }),
        ),
      ),
    );
    await using process = startEngine(data, [kind]);
    const run = await ended(process.runs, await process.runs.start(kind, null, { cap: { tokens: 100 } }));
    expect(run).toMatchObject({ status: 'paused', budget: { spent: { tokens: 90 } } });
  });

  it('says what running again would repeat and cost, and keeps what came before', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf(async (input: { who: string }, run) => {
      const pay = (name: string) =>
        run.step(name, async ({ ledger }) => {
          count.add(name);
          await (await ledger.reserve({ tokens: 10, costUsd: 0.01 }, name)).settle({
            tokens: 10,
            costUsd: 0.01,
          });
          return name;
        });
      return [await pay('plan'), await pay('write'), await pay('check'), input.who];
    });
    await using process = startEngine(data, [kind]);
    const { id } = await ended(process.runs, await process.runs.start(kind, { who: 'a' }));
    expect(await process.runs.planRerun(id, { from: 'write' })).toMatchObject({
      kept: ['plan'],
      repeated: [{ name: 'write' }, { name: 'check' }],
      cost: { tokens: 20, costUsd: 0.02 },
    });
    const again = await process.runs.rerun(id, { from: 'write', input: { who: 'b' } });
    expect(again).toMatchObject({ rerunOf: id });
    expect((await ended(process.runs, again)).output).toEqual(['plan', 'write', 'check', 'b']);
    expect(count.all).toEqual({ plan: 1, write: 2, check: 2 });
    await expect(process.runs.planRerun(id, { from: 'none' })).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      message: expect.stringContaining('plan, write, check'),
    });
  });

  it('goes on where it was cancelled: what had ended beside the step that hung is not done again', async () => {
    await using data = place();
    const count = counterOf();
    let hangs = true;
    const kind = kindOf((_: null, run) =>
      run.parallel(
        ['a', 'b', 'c'].map(
          (name) => () =>
            run.step(name, async ({ signal: ends }) => {
              count.add(name);
              if (name === 'b' && hangs)
                await new Promise((_, reject) => ends.addEventListener('abort', reject));
              return name;
            }),
        ),
      ),
    );
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    const endedSteps = async () =>
      (await process.runs.get(id)).steps.filter(({ status }) => status === 'completed').length;
    await expect.poll(endedSteps).toBe(2);
    await process.runs.cancel(id);
    hangs = false;
    expect(await process.runs.planRerun(id, { goesOn: true })).toMatchObject({ kept: ['a', 'c'] });
    const again = await process.runs.takeUp(id);
    expect((await ended(process.runs, again)).output).toEqual(['a', 'b', 'c']);
    expect(count.all).toEqual({ a: 1, b: 2, c: 1 });
  });

  it('goes on where it was cancelled while a child worked', async () => {
    await using data = place();
    const count = counterOf();
    let hangs = true;
    const child = kindOf(
      (_: null, run) =>
        run.step('work', async ({ signal: ends }) => {
          if (hangs) await new Promise((_resolve, reject) => ends.addEventListener('abort', reject));
          return 'done';
        }),
      { name: 'test.child' },
    );
    const kind = kindOf(async (_: null, run) => {
      await run.step('plan', () => count.add('plan'));
      return run.child('child', child, null);
    });
    await using process = startEngine(data, [kind, child]);
    const { id } = await process.runs.start(kind, null);
    const works = async () => (await process.runs.get(id)).children[0]?.steps[0]?.status;
    await expect.poll(works).toBe('running');
    await process.runs.cancel(id);
    hangs = false;
    const again = await process.runs.takeUp(id);
    expect((await ended(process.runs, again)).output).toBe('done');
    expect(count.all).toEqual({ plan: 1 });
  });

  it('goes on where it failed: what rested on the failure is done again, what did not is kept', async () => {
    await using data = place();
    const count = counterOf();
    let fails = true;
    const kind = kindOf(async (_: null, run) => {
      const does = (name: string) => run.step(name, () => count.add(name));
      await does('first');
      const way = await run
        .step('choose', () => {
          if (fails) throw new ToolError('NEXUS_MODEL_REFUSED', 'no');
          return 'good';
        })
        .catch(() => 'bad');
      await does(way);
      if (way === 'bad') throw new ToolError('NEXUS_UNAVAILABLE', 'it could not be done');
      return way;
    });
    await using process = startEngine(data, [kind]);
    const { id } = await ended(process.runs, await process.runs.start(kind, null));
    fails = false;
    const again = await process.runs.takeUp(id);
    expect(await ended(process.runs, again)).toMatchObject({ status: 'completed', output: 'good' });
    expect(count.all).toEqual({ first: 1, bad: 1, good: 1 });
  });

  it('tells its events once, with run, step and attempt', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      await run.step(
        'one',
        ({ attempt }) => {
          if (attempt === 1) throw new ToolError('NEXUS_UNAVAILABLE', 'no');
        },
        { retry: { attempts: 2, delayMs: 1 } },
      );
      await run.event('said', { text: 'hello' });
    });
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    const told: unknown[] = [];
    await process.runs.wait(id, {
      signal,
      onEvent: ({ type, step, attempt }) => told.push([type, step, attempt]),
    });
    expect(told).toEqual([
      ['run.created', undefined, undefined],
      ['step.started', 'one', 1],
      ['step.retrying', 'one', 1],
      ['step.started', 'one', 2],
      ['step.completed', 'one', 2],
      ['said', 'said', 1],
      ['run.completed', undefined, undefined],
    ]);
  });
});

describe.each(databasesByTurns)('who waits for a run of another process, on $name', ({ place }) => {
  it('is told of each step and of the end, without looking for himself', async () => {
    await using data = place();
    const gates = { one: gate(), two: gate(), three: gate() };
    const stepped = kindOf(async (_: null, run) => {
      for (const [name, { open }] of Object.entries(gates)) await run.step(name, () => open);
    });
    await using there = startEngine(data, [stepped]);
    const { id } = await there.runs.start(stepped, null);
    const after: typeof machine.after = (ms, call) => machine.after(ms >= 1_000 ? 100_000_000 : ms, call);
    await using here = startEngine(data, [stepped], { ground: { ...machine, after } });
    const told: unknown[] = [];
    const waiting = here.runs.wait(id, { signal, onEvent: ({ type, step }) => told.push(`${type} ${step}`) });
    for (const [name, { pass }] of Object.entries(gates)) {
      await expect.poll(() => told).toContain(`step.started ${name}`);
      pass();
    }
    expect(await waiting).toMatchObject({ status: 'completed' });
  });
});

function gate() {
  let pass = () => {};
  const open = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { open, pass: () => pass() };
}
