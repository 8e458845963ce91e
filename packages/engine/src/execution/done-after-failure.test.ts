import {
  type RunContext,
  type StepOptions,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
  type ToolSummary,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';
import { forgetOld } from '../record/forgetting.ts';

const DAY_MS = 86_400_000;
const COST = { tokens: 10, costUsd: 0.5 };
const AT_MOST = { tokens: 100, costUsd: 5 };
const UNKNOWN = { status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN' } };

function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}

/** Tools of which one must not be called twice by its hints, and one may. */
function toolsOf(count: ReturnType<typeof counterOf>): ToolCaller {
  const find = (name: string) => ({ name, origin: name, isRepeatable: name === 'read' }) as ToolSummary; // what a step asks of it
  return {
    list: () => [],
    find,
    check: async () => [],
    async call(name, params): Promise<ToolCallResult> {
      const said = `${name} ${JSON.stringify(params.arguments)}`;
      return { content: [], structuredContent: { said, times: count.add(said) } };
    },
  };
}

/** What a run does, with what changes on the way. */
interface World {
  readonly run: RunContext;
  /** A step that fails until it is told not to. */
  breaks(name?: string): Promise<unknown>;
  /** A step that pays for the answer to what it asks. */
  asks(name: string, asked: unknown): Promise<unknown>;
  /** A step that calls a tool. */
  calls(name: string, tool: string, given: unknown, options?: StepOptions): Promise<unknown>;
  readonly mended: Set<string>;
  readonly count: ReturnType<typeof counterOf>;
}

function start(place: Place, ...functions: readonly ((world: World) => Promise<unknown>)[]) {
  const count = counterOf();
  const mended = new Set<string>();
  const world = (run: RunContext): World => ({
    run,
    count,
    mended,
    breaks: (name = 'breaks') =>
      run.step(name, () => {
        count.add(name);
        if (!mended.has(name)) throw new Error(`${name} is broken`);
        return 'mended';
      }),
    asks: (name, asked) =>
      run.step(name, async ({ ledger }) => {
        const held = await ledger.reserve(AT_MOST, 'a call', asked);
        if (held.answer) return held.answer.value;
        const answer = `${JSON.stringify(asked)} ${count.add(`asked ${JSON.stringify(asked)}`)}`;
        await held.settle(COST, answer);
        return answer;
      }),
    calls: (name, tool, given, options = {}) =>
      run.step(
        name,
        async ({ tools }) => {
          const { structuredContent, isError, _meta } = await tools.call(tool, { arguments: given });
          if (isError) throw new Error(JSON.stringify(_meta));
          return structuredContent;
        },
        options,
      ),
  });
  const kinds = functions.map((each, at) =>
    kindOf((_: unknown, run) => each(world(run)), { name: at === 0 ? 'test.run' : `test.below${at}` }),
  );
  const process = startEngine(place, kinds, { tools: () => toolsOf(count) });
  const { runs } = process;
  return {
    process,
    runs,
    count,
    mended,
    async fails(key?: string) {
      const run = await runs.start({ name: 'test.run', version: 1 }, null, key === undefined ? {} : { key });
      const failed = await ended(runs, run);
      expect(failed.status).toBe('failed');
      return failed.id;
    },
    goesOn: async (id: string) => ended(runs, await runs.takeUp(id)),
  };
}

/** What fails in the end, so that the run goes on from there. */
const last = ({ breaks }: World) => breaks('last');
const caught = (work: Promise<unknown>) => work.catch((error: Error) => error.message);

describe.each(databasesByTurns)('what a run did after a failure that it got over, on $name', ({ place }) => {
  it('and paid is not paid again where it asks for the same, whatever became of the failure', async () => {
    await using data = place();
    const { process, runs, count, mended, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      const answers = [await world.asks('first', { a: 1, b: 2 }), await world.asks('second', { of: 'it' })];
      await last(world);
      return answers;
    });
    await using _ = process;
    const id = await fails();
    expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({
      cost: { tokens: 0, costUsd: 0 },
      costAtMost: { tokens: 20, costUsd: 1 },
      repeated: [
        { name: 'breaks' },
        { name: 'first', spent: { costUsd: 0 }, answered: { calls: 1, spent: COST } },
        { name: 'second', spent: { costUsd: 0 }, answered: { calls: 1, spent: COST } },
        { name: 'last' },
      ],
    });
    // Still broken, and then mended: three runs on the record of the first.
    const still = await goesOn(id);
    expect(still).toMatchObject({ status: 'failed', usage: { calls: 0, keptCalls: 2 } });
    mended.add('breaks').add('last');
    const done = await goesOn(id);
    expect(done).toMatchObject({
      status: 'completed',
      output: ['{"a":1,"b":2} 1', '{"of":"it"} 1'],
      usage: { calls: 0, keptCalls: 2 },
      budget: { spent: { tokens: 0 } },
    });
    expect(count.all).toMatchObject({ breaks: 3, last: 3, 'asked {"a":1,"b":2}': 1, 'asked {"of":"it"}': 1 });
  });

  it('is paid for where it asks for something else', async () => {
    await using data = place();
    const { process, mended, count, fails, goesOn } = start(data, async (world) => {
      const said = await caught(world.breaks());
      const answer = await world.asks('after', { said });
      await last(world);
      return answer;
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks').add('last');
    expect(await goesOn(id)).toMatchObject({
      output: '{"said":"mended"} 1',
      usage: { calls: 1, inputTokens: 0 },
      budget: { spent: COST },
    });
    expect(count.all).toMatchObject({ 'asked {"said":"breaks is broken"}': 1 });
  });

  it('is not paid again beside what failed, side by side by Promise.all', async () => {
    await using data = place();
    const { process, mended, count, fails, goesOn } = start(data, async ({ run, breaks, asks }) => {
      const slowly = async () => {
        const first = await asks('one', 'one');
        await run.step('rests', () => new Promise((resolve) => setTimeout(resolve, 40)));
        return [first, await asks('two', 'two')];
      };
      // Whoever waits for all hears of the failure once the others have gone on.
      const all = [breaks(), slowly(), asks('three', 'three')];
      await Promise.allSettled(all);
      return Promise.all(all);
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks');
    expect(await goesOn(id)).toMatchObject({
      status: 'completed',
      output: ['mended', ['"one" 1', '"two" 1'], '"three" 1'],
      usage: { calls: 0, keptCalls: 3 },
    });
    expect(count.all).toMatchObject({ 'asked "one"': 1, 'asked "two"': 1, 'asked "three"': 1 });
  });

  it('is not paid again of a step that the failure cut off in the middle', async () => {
    await using data = place();
    const { process, mended, count, fails, goesOn } = start(data, async ({ run, breaks }) => {
      const begun = gate();
      const asks = run.step('asks', async ({ ledger, signal }) => {
        const held = await ledger.reserve(AT_MOST, 'a call', 'first');
        if (!held.answer) await held.settle(COST, `answer ${count.add('asked')}`);
        begun.resolve();
        if (!mended.has('breaks'))
          await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
        return held.answer?.value;
      });
      return (await Promise.all([begun.promise.then(() => breaks()), asks]))[1];
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks');
    expect(await goesOn(id)).toMatchObject({ output: 'answer 1', usage: { calls: 0, keptCalls: 1 } });
    expect(count.all).toMatchObject({ asked: 1 });
  });

  it('and must not be done twice is not, and answers what it answered; what may be done twice is', async () => {
    await using data = place();
    const { process, runs, mended, count, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      const sent = await world.calls('sends', 'send', { to: 'a', text: 'b' });
      const read = await world.calls('reads', 'read', {});
      await last(world);
      return [sent, read];
    });
    await using _ = process;
    const id = await fails('k');
    expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({
      repeated: [
        { name: 'breaks' },
        { name: 'sends', answered: { calls: 0, once: ['send'] } },
        { name: 'reads' },
        { name: 'last' },
      ],
    });
    await goesOn(id);
    mended.add('breaks').add('last');
    const said = 'send {"to":"a","text":"b"}';
    expect(await goesOn(id)).toMatchObject({
      output: [
        { said, times: 1 },
        { said: 'read {}', times: 3 },
      ],
    });
    expect(count.all).toMatchObject({ [said]: 1 });
  });

  it.each<[string, StepOptions]>([
    ['by its hints', {}],
    ['and is given what it works on', { input: null }],
    ['by its author', { isRepeatable: false }],
  ])('and must not be done twice (%s) is told before it is done with other arguments', async (how, given) => {
    await using data = place();
    const { process, mended, count, fails, goesOn } = start(data, async (world) => {
      const text = await caught(world.breaks());
      const options = 'input' in given ? { input: { text } } : given;
      const sent = await world.calls('sends', 'send', { text }, options);
      await last(world);
      return sent;
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks').add('last');
    const told = await goesOn(id);
    expect(told, how).toMatchObject(UNKNOWN);
    expect(told.error?.message).toContain('send was called before in the same place');
    expect(told.error?.message).toContain('{"text":"breaks is broken"}');
    expect(count.all).toMatchObject({ 'send {"text":"breaks is broken"}': 1 });
    expect(Object.keys(count.all)).not.toContain('send {"text":"mended"}');
    // Who was told, and has it go on, has it done.
    expect(await goesOn(id)).toMatchObject({ output: { said: 'send {"text":"mended"}', times: 1 } });
    expect(count.all).toMatchObject({ 'send {"text":"breaks is broken"}': 1 });
  });

  it('and must not be done twice by its author’s word is told, unless it is given the same', async () => {
    await using data = place();
    const { process, runs, mended, count, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      const { run } = world;
      const same = { input: { of: 'one' }, isRepeatable: false };
      const given = await run.step('given', () => count.add('given'), same);
      const bare = await run.step('bare', () => count.add('bare'), { isRepeatable: false });
      const itself = await run.step('itself', async (step) => {
        await step.onlyOnce();
        return count.add('itself');
      });
      await last(world);
      return [given, bare, itself];
    });
    await using _ = process;
    const id = await fails();
    expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({
      repeated: [
        {},
        { name: 'given', answered: { once: ['given'] } },
        { name: 'bare', answered: { once: ['bare'] } },
        { name: 'itself', answered: { once: ['itself'] } },
        {},
      ],
    });
    mended.add('breaks').add('last');
    const told = await goesOn(id);
    expect(told).toMatchObject(UNKNOWN);
    expect(told.error?.message).toContain('"bare" was done before');
    expect(count.all).toMatchObject({ given: 1, bare: 1, itself: 1 });
    expect(await goesOn(id)).toMatchObject(UNKNOWN);
    expect(await goesOn(id)).toMatchObject({ output: [1, 2, 2] });
  });

  it('is kept of a run that it began, and what had ended in that is neither paid nor done again', async () => {
    await using data = place();
    const below = { name: 'test.below1', version: 1 };
    const { process, runs, mended, count, fails, goesOn } = start(
      data,
      async (world) => {
        await caught(world.breaks());
        const came = await world.run.child('child', below, { a: 1 });
        await last(world);
        return came;
      },
      async (world) => {
        await caught(world.breaks());
        const answer = await world.asks('asks', 'below');
        await world.calls('sends', 'send', {});
        return [answer, await world.run.step('pure', () => count.add('pure'))];
      },
    );
    await using _ = process;
    const id = await fails();
    expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({
      cost: { costUsd: 0 },
      repeated: [
        { name: 'breaks' },
        { name: 'child', runs: [{ isAnew: false, kept: ['breaks', 'asks', 'sends', 'pure'], repeated: [] }] },
        { name: 'last' },
      ],
    });
    mended.add('last');
    expect(await goesOn(id)).toMatchObject({
      output: ['"below" 1', 1],
      usage: { calls: 0, keptCalls: 1 },
    });
    expect(count.all).toMatchObject({ 'asked "below"': 1, 'send {}': 1, pure: 1 });
  });

  it('asks with the same time, the same chance and the same id', async () => {
    await using data = place();
    const { process, mended, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      const { run } = world;
      const values = [await run.now(), await run.random(), await run.uuid()];
      const answer = await world.asks('asks', values);
      await last(world);
      return answer;
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks').add('last');
    expect(await goesOn(id)).toMatchObject({ status: 'completed', usage: { calls: 0, keptCalls: 1 } });
  });

  it('is asked for anew by a step that failed by it, and by a rerun from a step', async () => {
    await using data = place();
    const { process, runs, mended, count, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      const answer = await world.run.step('reads', async ({ ledger }) => {
        const held = await ledger.reserve(AT_MOST, 'a call', 'what?');
        const read = held.answer ? Number(held.answer.value) : count.add('asked');
        if (!held.answer) await held.settle(COST, read);
        if (read < 2 || (read === 2 && mended.has('strict'))) throw new Error('of no use');
        return read;
      });
      await last(world);
      return answer;
    });
    await using _ = process;
    const id = await fails();
    await goesOn(id);
    expect(count.all).toMatchObject({ asked: 2 });
    // It stood in the second run, and fails in the third by the answer of that.
    mended.add('strict');
    expect(await goesOn(id)).toMatchObject({ error: { message: 'of no use' } });
    expect(count.all).toMatchObject({ asked: 2 });
    mended.add('last');
    const done = await goesOn(id);
    expect(done).toMatchObject({ output: 3 });
    await ended(runs, await runs.rerun(done.id, { from: 'reads' }));
    expect(count.all).toMatchObject({ asked: 4 });
  });

  it('is taken once by a process that dies with it, and the next goes on from there', async () => {
    await using data = place();
    const count = counterOf();
    const state = { isMended: false, holds: false };
    const reached = gate();
    const kind = kindOf(async (_: unknown, run) => {
      await caught(run.step('breaks', () => Promise.reject(new Error('no'))));
      const answers = await run.step('asks', async ({ ledger }) => {
        const said: unknown[] = [];
        for (const at of [1, 2]) {
          const held = await ledger.reserve(AT_MOST, 'a call', 'the same');
          if (!held.answer) await held.settle(COST, count.add('asked'));
          said.push(held.answer?.value);
          if (at === 1 && state.holds) {
            reached.resolve();
            await new Promise(() => {});
          }
        }
        return said;
      });
      if (!state.isMended) await run.step('last', () => Promise.reject(new Error('no')));
      return answers;
    });
    const first = startEngine(data, [kind]);
    const { id } = await ended(first.runs, await first.runs.start(kind, null));
    state.isMended = true;
    state.holds = true;
    const next = await first.runs.takeUp(id);
    await reached.promise;
    await first.die();
    state.holds = false;
    await using second = startEngine(data, [kind]);
    await second.engine.adopt();
    expect(await ended(second.runs, next.id)).toMatchObject({ output: [1, 2], usage: { keptCalls: 2 } });
    expect(count.all).toEqual({ asked: 2 });
  });

  it('leaves nothing on record of its calls once its run is completed', async () => {
    await using data = place();
    const { process, mended, fails, goesOn } = start(data, async (world) => {
      await world.asks('asks', 1);
      await world.calls('sends', 'send', {});
      await last(world);
    });
    await using _ = process;
    const id = await fails();
    const { on } = await process.engine.open();
    const left = async (of: string) => [
      await on.db.selectFrom('runs_calls').select('answer').where('run_id', '=', of).execute(),
      await on.db
        .selectFrom('runs_spending')
        .select('answer')
        .where('run_id', '=', of)
        .where('answer', 'is not', null)
        .execute(),
    ];
    expect(await left(id)).toMatchObject([[{ answer: expect.any(String) }], [{ answer: '"1 1"' }]]);
    mended.add('last');
    const { id: next } = await goesOn(id);
    expect(await left(next)).toEqual([[], []]);
  });

  it('is told of by the preview also where the run after it ended before it came to it', async () => {
    await using data = place();
    const { process, runs, mended, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      if (mended.has('breaks') && !mended.has('last')) throw new Error('not so far');
      const asked = await world.asks('asks', 1);
      const sent = await world.calls('sends', 'send', {});
      await last(world);
      return [asked, sent];
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks');
    const { id: next } = await goesOn(id);
    expect(await runs.planRerun(next, { goesOn: true })).toMatchObject({
      kept: ['breaks'],
      repeated: [
        { name: 'asks', answered: { calls: 1, spent: COST } },
        { name: 'sends', answered: { once: ['send'] } },
        { name: 'last' },
      ],
      costAtMost: COST,
    });
    mended.add('last');
    expect(await goesOn(next)).toMatchObject({ output: ['1 1', { times: 1 }], usage: { keptCalls: 1 } });
  });

  it('is no more told of by the preview once the run that goes on has completed', async () => {
    await using data = place();
    const { process, runs, mended, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      if (mended.has('breaks')) return 'mended';
      await world.asks('asks', 1);
      return last(world);
    });
    await using _ = process;
    const id = await fails();
    mended.add('breaks');
    await goesOn(id);
    expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({ repeated: [], cost: { tokens: 0 } });
  });

  it('and was refused is told of as done again, also by the preview of a run that did not come to it', async () => {
    await using data = place();
    const { process, runs, mended, count, fails, goesOn } = start(data, async (world) => {
      await caught(world.breaks());
      if (mended.has('breaks') && !mended.has('last')) throw new Error('not so far');
      const sent = await world.calls('sends', 'send', {});
      if (mended.has('last')) return sent;
      throw new ToolError('NEXUS_INTERNAL', 'of no use', { detail: { refusedStep: 'sends' } });
    });
    await using _ = process;
    const id = await fails();
    const again = { name: 'sends', again: ['send'] };
    expect((await runs.planRerun(id, { goesOn: true })).repeated).toContainEqual(
      expect.objectContaining(again),
    );
    mended.add('breaks');
    const { id: next } = await goesOn(id);
    expect((await runs.planRerun(next, { goesOn: true })).repeated).toMatchObject([again]);
    // Also where that one had begun it, and was cut off.
    const { on } = await process.engine.open();
    const begun = on.db
      .selectFrom('runs_steps')
      .selectAll()
      .where('run_id', '=', id)
      .where('name', '=', 'sends');
    const row = await begun.executeTakeFirstOrThrow();
    const cutOff = { run_id: next, status: 'waiting', end_seq: null, is_repeatable: 1 } as const;
    await on.db
      .insertInto('runs_steps')
      .values({ ...row, ...cutOff })
      .execute();
    expect((await runs.planRerun(next, { goesOn: true })).repeated).toMatchObject([again]);
    mended.add('last');
    await goesOn(next);
    expect(count.all).toMatchObject({ 'send {}': 2 });
  });

  it('counts for the size of its run, and stays on record for whoever has that go on later', async () => {
    await using data = place();
    const { process, runs, mended, count, fails, goesOn } = start(data, async (world) => {
      if (!mended.has('first')) await caught(world.breaks());
      else if (!mended.has('breaks')) throw new Error('not so far');
      const answer = await world.asks('asks', 'x'.repeat(5_000));
      await last(world);
      return answer;
    });
    await using _ = process;
    const id = await fails();
    const { on } = await process.engine.open();
    const sizeOf = on.db.selectFrom('runs_runs').select('bytes').where('id', '=', id);
    expect(Number((await sizeOf.executeTakeFirstOrThrow()).bytes)).toBeGreaterThan(10_000);
    data.ahead(20 * DAY_MS);
    mended.add('first');
    const { id: second } = await goesOn(id);
    data.ahead(15 * DAY_MS);
    await forgetOld(on);
    await runs.get(id);
    mended.add('breaks').add('last');
    expect(await goesOn(second)).toMatchObject({ status: 'completed', usage: { calls: 0, keptCalls: 1 } });
    expect(Object.values(count.all)).toContain(1);
  });
});
