import { toErrorResult } from '@nexus/core';
import {
  type RunContext,
  type Runs,
  type Span,
  type ToolCaller,
  ToolError,
  type Trace,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import type { EngineOptions } from '../engine.ts';
import { askForStep, isAsking } from '../record/questions.ts';

/** What was done, by process. */
interface Done {
  readonly by: string;
  readonly arguments: unknown;
}

/** A tool that reaches out only after a yes, as the dispatcher has it. */
function poster(by: string, done: Done[]): EngineOptions['tools'] {
  return (_run, { sayYes }): ToolCaller => ({
    list: () => [],
    find: () => undefined,
    check: async () => [],
    async call(tool, params) {
      const said = await sayYes({
        message: 'May it be called with exactly this?',
        subject: { tool, arguments: params.arguments },
      });
      if (said !== true) {
        const error = new ToolError('NEXUS_YES_NEEDED', said === false ? 'No was said.' : 'Nobody said any.');
        return toErrorResult(error) ?? expect.unreachable();
      }
      done.push({ by, arguments: params.arguments });
      return { content: [], structuredContent: { posted: true } };
    },
  });
}

const kind = kindOf((texts: readonly string[], run: RunContext) =>
  run.step('post', async ({ tools }) => {
    const results: unknown[] = [];
    for (const text of texts) {
      const { isError, content, structuredContent } = await tools.call('post', { arguments: { text } });
      results.push(isError ? content[0]?.text : structuredContent);
    }
    return results;
  }),
);

const yes = { action: 'accept', content: {} } as const;
const POSTED = { posted: true };

/** The questions of a run, once it asks that many. */
async function asks(runs: Runs, id: string, count: number) {
  await expect.poll(async () => (await runs.get(id)).asks?.length ?? 0, { timeout: 10_000 }).toBe(count);
  return (await runs.get(id)).asks ?? [];
}

describe.each(databasesByTurns)('a step that a person has to say yes to, on $name', ({ name, place }) => {
  it('waits on record, asks for exactly what it would call, and calls it once after a yes to that', async () => {
    await using data = place();
    const done: Done[] = [];
    const told: Span[] = [];
    const spans = { contents: false, wants: () => true, end: (span: Span) => told.push(span) };
    const traces: (Trace | undefined)[] = [];
    const tools: EngineOptions['tools'] = (run, step) => {
      traces.push(step.trace);
      return poster('one', done)(run, step);
    };
    await using process = startEngine(data, [kind], { tools, spans: { spans, now: Date.now } });
    const { runs } = process;
    const along = { tracestate: 'vendor=1-a b', baggage: 'team=a' };
    const trace = { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16), ...along };
    const { id } = await runs.start(kind, ['hello'], { caller: { session: { id: 's' }, trace } });
    const [question] = await asks(runs, id, 1);
    expect(question).toMatchObject({
      subject: { tool: 'post', arguments: { text: 'hello' } },
      status: 'open',
    });
    expect(await runs.get(id)).toMatchObject({ status: 'waiting' });
    await expect(runs.answer(id, yes)).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(done).toEqual([]);
    await runs.answer(id, yes, { digest: question?.digest ?? '' });
    expect(await ended(runs, id)).toMatchObject({ status: 'completed', output: [POSTED] });
    expect(done).toEqual([{ by: 'one', arguments: { text: 'hello' } }]);
    expect((await runs.events(id)).map(({ type }) => type)).toEqual([
      ...['run.created', 'step.started', 'step.asks', 'question.answered'],
      ...['step.started', 'step.completed', 'run.completed'],
    ]);
    expect(traces[0]).toMatchObject({ traceId: trace.traceId, ...along, family: id });
    // What it waited is no failure and no work, and the work after it is its first.
    const ofSteps = told.filter((span) => span.attributes['nexus.step.name'] === 'post');
    const shown = ofSteps.map(({ error, attributes }) => ({
      ...{ error, kind: attributes['nexus.step.kind'], attempt: attributes['nexus.step.attempt'] },
      type: attributes['error.type'],
    }));
    expect(shown).toEqual([
      { error: undefined, kind: 'question', attempt: 1, type: undefined },
      { error: undefined, kind: 'step', attempt: 1, type: undefined },
    ]);
    expect(ofSteps[0]?.endMs).toBeLessThanOrEqual(ofSteps[1]?.startMs ?? 0);
  });

  it('is refused after a no, and the run goes on with that', async () => {
    await using data = place();
    const done: Done[] = [];
    await using process = startEngine(data, [kind], { tools: poster('one', done) });
    const { runs } = process;
    const { id } = await runs.start(kind, ['hello']);
    await asks(runs, id, 1);
    await runs.answer(id, { action: 'decline' });
    expect(await ended(runs, id)).toMatchObject({ output: ['No was said.'] });
    expect(done).toEqual([]);
  });

  it('asks of each call by itself, also of a second one alike', async () => {
    await using data = place();
    const done: Done[] = [];
    await using process = startEngine(data, [kind], { tools: poster('one', done) });
    const { runs } = process;
    const { id } = await runs.start(kind, ['hello', 'hello']);
    const [first] = await asks(runs, id, 1);
    await runs.answer(id, yes, { digest: first?.digest ?? '' });
    await expect.poll(async () => (await runs.get(id)).asks?.[0]?.name).toBe(`${first?.name}-2`);
    await runs.answer(id, { action: 'decline' });
    expect(await ended(runs, id)).toMatchObject({ output: [POSTED, 'No was said.'] });
  });

  // By a lease that runs out, on Postgres: that takes seconds, and is the same.
  it.each([
    ...(name === 'SQLite' ? [['before anybody answers', false] as const] : []),
    ['after it was parked', true] as const,
  ])('goes on in another process where its own was killed %s', async (_, isParked) => {
    await using data = place();
    const done: Done[] = [];
    const first = startEngine(data, [kind], {
      tools: poster('first', done),
      parkAfterMs: isParked ? 1 : 60_000,
    });
    const { id } = await first.runs.start(kind, ['hello']);
    const [question] = await asks(first.runs, id, 1);
    const { on } = await first.engine.open();
    const statusNow = async () =>
      (await on.db.selectFrom('runs_runs').select('status').where('id', '=', id).executeTakeFirst())?.status;
    if (isParked) await expect.poll(statusNow).toBe('waiting');
    else expect(await statusNow()).toBe('running');
    await first.die();
    await using second = startEngine(data, [kind], { tools: poster('second', done) });
    await second.engine.adopt();
    await second.runs.answer(id, yes, { digest: question?.digest ?? '' });
    expect(await ended(second.runs, id)).toMatchObject({ status: 'completed', output: [POSTED] });
    expect(done).toEqual([{ by: 'second', arguments: { text: 'hello' } }]);
  });

  it('is answered with one digest only by exactly that call: another one that it makes instead asks anew', async () => {
    await using data = place();
    const done: Done[] = [];
    let text = 'hello';
    const fickle = kindOf((_: null, run: RunContext) =>
      run.step('post', async ({ tools }) => {
        const { isError, content } = await tools.call('post', { arguments: { text } });
        return isError ? content[0]?.text : 'posted';
      }),
    );
    await using process = startEngine(data, [fickle], { tools: poster('one', done) });
    const { runs } = process;
    const { id } = await runs.start(fickle, null);
    const [first] = await asks(runs, id, 1);
    text = 'the key';
    await runs.answer(id, yes, { digest: first?.digest ?? '' });
    await expect
      .poll(async () => (await runs.get(id)).asks?.[0]?.subject)
      .toMatchObject({
        arguments: { text: 'the key' },
      });
    expect(done).toEqual([]);
  });
});

it('an answer to one thing is none to another, though both are asked under one name', async () => {
  await using data = databases[0]?.place() ?? expect.unreachable();
  await using process = startEngine(data, [kind]);
  const { on } = await process.engine.open();
  const { id } = await process.runs.start(kind, []);
  await ended(process.runs, id);
  const token = { runId: id, owner: '', epoch: 0 };
  const ask = (subject: string, seq: number) =>
    on.write((trx) =>
      askForStep(on, token, {
        ...{ name: 'post', attempt: 1, seq },
        asks: [{ name: 'one name', question: { message: 'May it?', subject } }],
      }).work(trx),
    );
  await ask('this', 100);
  const answered = { status: 'answered' as const, answer: JSON.stringify(yes) };
  await on.db.updateTable('runs_questions').set(answered).where('run_id', '=', id).execute();
  await ask('this', 100);
  expect(await isAsking(on, id, 'post')).toBe(false);
  await ask('that', 101);
  expect(await isAsking(on, id, 'post')).toBe(true);
});

describe.each(databasesByTurns)('a call that begins a run, on $name', ({ place }) => {
  const below = kindOf(
    async (given: { text: string }) => {
      throw new Error(`broken ${given.text}`);
    },
    { name: 'test.below' },
  );
  let texts: readonly string[] = [];
  const above = kindOf((_: null, run: RunContext) =>
    run.step('calls', async ({ tools }) => {
      for (const [at, text] of texts.entries()) {
        const { isError, content } = await tools.call('begins', { arguments: { text } });
        if (isError && at === texts.length - 1) throw new Error(content[0]?.text);
      }
    }),
  );

  it.each([
    ['no other', ['same'], []],
    ['a second alike', ['same', 'same'], ['same']],
    ['another', ['same', 'new'], ['new']],
  ])(
    'asks for no yes that it was begun without as it goes on, and for that of %s',
    async (_, later, expected) => {
      await using data = place();
      const asked: string[] = [];
      let isKnown = false;
      const tools: EngineOptions['tools'] = (run, { step, sayYes }) => ({
        list: () => [],
        find: () => undefined,
        check: async () => [],
        async call(tool, { arguments: request, _meta }) {
          const { text } = request as { text: string };
          const question = { message: 'May it?', subject: { tool, arguments: { text } } };
          if (isKnown && (await sayYes(question, { kind: below.name, request: { text } })) !== true) {
            asked.push(text);
            return (
              toErrorResult(new ToolError('NEXUS_YES_NEEDED', 'Nobody said any.')) ?? expect.unreachable()
            );
          }
          const key = String((_meta as Record<string, unknown>)['nexus/idempotencyKey']);
          const caller = { session: { id: 's' }, run: { id: run.id, step } };
          const started = await runs.start(below, { text }, { caller, key, request: { text } });
          const { error } = await runs.wait(started.id, { signal: new AbortController().signal });
          return (
            toErrorResult(new ToolError('NEXUS_UNAVAILABLE', error?.message ?? '')) ?? expect.unreachable()
          );
        },
      });
      await using process = startEngine(data, [above, below], { tools });
      const { runs } = process;
      texts = ['same'];
      const first = await runs.start(above, null);
      expect(await ended(runs, first)).toMatchObject({ status: 'failed' });
      [texts, isKnown] = [later, true];
      const second = await runs.takeUp(first.id);
      if (expected.length > 0) await asks(runs, second.id, 1);
      else expect(await ended(runs, second)).toMatchObject({ status: 'failed' });
      expect(asked).toEqual(expected);
    },
  );
});

describe.each(databasesByTurns)('what a family has come to know, on $name', ({ place }) => {
  const known = { untrusted: 'issue', private: 'file' };
  /** Says what it knows, after it came to know something more. */
  const knowing =
    (more: Partial<typeof known>, seen: unknown[]): EngineOptions['tools'] =>
    (_run, { known: record }) => ({
      list: () => [],
      find: () => undefined,
      check: async () => [],
      async call() {
        seen.push(await record.read());
        await record.add({ untrusted: undefined, private: undefined, ...more });
        return { content: [] };
      },
    });
  const call = (run: RunContext, name: string) =>
    run.step(name, async ({ tools }) => void (await tools.call('any', {})));
  const below = kindOf((_: null, run) => call(run, 'below'), { name: 'test.below' });
  const family = kindOf(async (_: null, run) => {
    await call(run, 'first');
    await run.child('child', { name: 'test.below', version: 1 }, null);
    await run.ask('on', { message: 'Go on?' });
    await call(run, 'last');
  });

  it('is on record with it: known to its children, to the next process, and to a run that keeps its steps', async () => {
    await using data = place();
    const seen: unknown[] = [];
    const first = startEngine(data, [family, below], { tools: knowing(known, seen) });
    const { id } = await first.runs.start(family, null);
    await asks(first.runs, id, 1);
    expect(seen).toEqual([{ untrusted: undefined, private: undefined }, known]);
    await first.die();
    const later: unknown[] = [];
    await using second = startEngine(data, [family, below], {
      tools: knowing({ untrusted: 'other', private: 'other' }, later),
    });
    await second.engine.adopt();
    await second.runs.answer(id, yes);
    await ended(second.runs, id);
    expect(later).toEqual([known]);
    const again = await second.runs.rerun(id, { from: 'last' });
    await ended(second.runs, again);
    expect(later).toEqual([known, known]);
  });
});
