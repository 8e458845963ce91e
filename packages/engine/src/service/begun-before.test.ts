import {
  type AnyRunKind,
  type Run,
  type RunContext,
  type RunOfCall,
  type Runs,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  type EngineUnderTest,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const session = { id: 's' };

/** A tool that is a run, of the kind of its name, as `defineRunTool` makes it. */
async function callRun(
  runs: Runs,
  name: string,
  given: unknown,
  { run: from, key, signal }: { run: RunOfCall | undefined; key: string; signal: AbortSignal },
): Promise<ToolCallResult> {
  const run = await runs.start({ name, version: 1 }, given, { caller: { session, run: from }, key });
  const done = await runs.wait(run.id, { signal });
  if (done.status === 'completed') return { content: [], structuredContent: { said: done.output } };
  const { code = 'NEXUS_CANCELLED', message = done.status } = done.error ?? {};
  const envelope = { code, message, retryable: false, detail: { runId: run.id } };
  return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
}

/** Such tools as the steps of a run have them, which call them as they are or as jobs. */
function toolsOf(process: () => EngineUnderTest, how: How) {
  return ({ id }: { id: string }, { step, signal }: { step: string; signal: AbortSignal }): ToolCaller => ({
    list: () => [],
    find: () => undefined,
    check: async () => [],
    async call(name, params) {
      const { 'nexus/idempotencyKey': key = '' } = params._meta as Record<string, string>;
      const { runs, engine } = process();
      const run = { id, step };
      if (how !== 'job') return callRun(runs, name, params.arguments, { run, key, signal });
      const { job } = await engine.jobs.start({
        tool: name,
        arguments: { given: params.arguments },
        sessionId: 's',
        parent: run,
        mayRunTwice: true,
        idempotencyKey: key,
        run: (live) =>
          callRun(runs, name, params.arguments, { run, key: live.idempotencyKey, signal: live.signal }),
      });
      return engine.jobs.outcome(job.jobId, { signal });
    },
  });
}

/** A step that calls a tool that is a run, and fails as that does. */
const calling = (run: RunContext, name: string, given: unknown) =>
  run.step('call', async ({ tools }) => {
    const { isError, structuredContent, _meta } = await tools.call(name, { arguments: given });
    const { code, message } = Object(_meta?.['nexus/error']) as { code: 'NEXUS_INTERNAL'; message: string };
    if (isError) throw new ToolError(code, message);
    return structuredContent?.said;
  });

const below = (run: RunContext, how: How, given: number, name = 'test.inner') =>
  how === 'child' ? run.child('call', { name, version: 1 }, given) : calling(run, name, given);

const untilEnded = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const pays = (run: RunContext) =>
  run.step('pays', async ({ ledger }) => {
    const held = await ledger.reserve({ tokens: 10, costUsd: 0.5 }, 'a call');
    await held.settle({ tokens: 10, costUsd: 0.5 }, 'paid');
  });

type How = 'call' | 'job' | 'child';

/** A run within a run within a run: by steps that call tools, or as children. The last is held in what it does. */
function nested(data: Place, how: How, { holds = 'writes' as 'writes' | 'rests' } = {}) {
  const count = counterOf();
  const hold = { is: true };
  const does = (run: RunContext, name: string) =>
    run.step(name, () => count.add(name), { isRepeatable: false });
  const level = (name: string, next: string) =>
    kindOf(
      async (_: unknown, run) => {
        await does(run, `${name} before`);
        return below(run, how, 1, next);
      },
      { name },
    );
  const inner = kindOf(
    async (_: unknown, run: RunContext) => {
      await does(run, 'inner before');
      await pays(run);
      await run.step(
        holds,
        ({ signal }) => {
          count.add(holds);
          return hold.is ? untilEnded(signal) : 'done';
        },
        { isRepeatable: holds !== 'writes' },
      );
      return 'said';
    },
    { name: 'test.inner' },
  );
  const kinds: readonly AnyRunKind[] = [
    level('test.outer', 'test.middle'),
    level('test.middle', 'test.inner'),
    inner,
  ];
  const start = (): EngineUnderTest => {
    const process: EngineUnderTest = startEngine(data, kinds, {
      tools: toolsOf(() => process, how),
      rerun: ({ tool, arguments: { given }, parent }, { idempotencyKey: key, signal }) =>
        callRun(process.runs, tool, given, { run: parent, key, signal }),
    });
    return process;
  };
  return { count, hold, start, kinds };
}

const BEFORE = { 'test.outer before': 1, 'test.middle before': 1, 'inner before': 1 };
const UNKNOWN = { status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN' } };

const begin = (runs: Runs, kinds: readonly AnyRunKind[], key?: string) =>
  runs.start(kinds[0] as AnyRunKind, null, { caller: { session }, ...(key === undefined ? {} : { key }) });

/** The run of a kind that a run has below it. */
async function within(runs: Runs, id: string, kind: string): Promise<Run | undefined> {
  for (const child of (await runs.get(id)).children) {
    const found = child.kind === kind ? child : await within(runs, child.id, kind);
    if (found) return found;
  }
  return undefined;
}

const ways = databasesByTurns.flatMap(({ name, place }) =>
  (['call', 'job', 'child'] as const).map((how) => ({ name, place, how })),
);

describe.each(ways)(
  'a step that is done again, and had begun a run by a $how, on $name',
  ({ place, how }) => {
    it('goes on with it, whole: what is of unknown outcome is told once, and then done again', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how);
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds);
      await expect.poll(() => count.all).toEqual({ ...BEFORE, writes: 1 });
      await runs.cancel(id);
      hold.is = false;
      const told = await ended(runs, await runs.takeUp(id));
      expect(told).toMatchObject({ ...UNKNOWN, rerunOf: id });
      expect(told.error?.message).toContain('its step "writes"');
      expect(count.all).toEqual({ ...BEFORE, writes: 1 });
      const done = await ended(runs, await runs.takeUp(id));
      expect(done).toMatchObject({ status: 'completed', output: 'said', usage: { calls: 0, keptCalls: 1 } });
      expect(count.all).toEqual({ ...BEFORE, writes: 2 });
    });

    it('goes on with it where the key of the outer run is asked again', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how, { holds: 'rests' });
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds, 'k');
      await expect.poll(() => count.all).toEqual({ ...BEFORE, rests: 1 });
      await runs.cancel(id);
      hold.is = false;
      const done = await ended(runs, await begin(runs, kinds, 'k'));
      expect(done).toMatchObject({ status: 'completed', rerunOf: id, usage: { calls: 0, keptCalls: 1 } });
      expect(count.all).toEqual({ ...BEFORE, rests: 2 });
    });

    it('goes on with it where that alone was cancelled, and the outer run failed by it', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how);
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds, 'k');
      await expect.poll(() => count.all).toEqual({ ...BEFORE, writes: 1 });
      const inner = await within(runs, id, 'test.inner');
      await runs.cancel(inner?.id ?? '');
      expect(await ended(runs, id)).toMatchObject({ status: 'failed', error: { code: 'NEXUS_CANCELLED' } });
      hold.is = false;
      // Under its key it goes on as well, and is told.
      expect(await ended(runs, await begin(runs, kinds, 'k'))).toMatchObject(UNKNOWN);
      expect(count.all).toEqual({ ...BEFORE, writes: 1 });
      expect(await ended(runs, await runs.takeUp(id))).toMatchObject({ status: 'completed', output: 'said' });
      expect(count.all).toEqual({ ...BEFORE, writes: 2 });
    });

    it('has the answer of one that somebody had gone on with by itself', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how, { holds: 'rests' });
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds);
      await expect.poll(() => count.all).toEqual({ ...BEFORE, rests: 1 });
      const middle = await within(runs, id, 'test.middle');
      await runs.cancel(id);
      const alone = await runs.takeUp(middle?.id ?? '');
      await expect.poll(() => count.all).toEqual({ ...BEFORE, rests: 2 });
      // While that goes on, it is waited for.
      const next = await runs.takeUp(id);
      expect(await ended(runs, next.id, 300)).toMatchObject({ status: 'running' });
      hold.is = false;
      const rests = await within(runs, alone.id, 'test.inner');
      await runs.cancel(rests?.id ?? '');
      await ended(runs, alone.id);
      expect(await ended(runs, await runs.takeUp(alone.id))).toMatchObject({ status: 'completed' });
      expect(await ended(runs, await runs.takeUp(id))).toMatchObject({ status: 'completed', output: 'said' });
      expect(count.all).toEqual({ ...BEFORE, rests: 3 });
    });

    it('goes on with it in another process, which died while it took it up', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how, { holds: 'rests' });
      const first = start();
      const { id } = await begin(first.runs, kinds);
      await expect.poll(() => count.all).toEqual({ ...BEFORE, rests: 1 });
      await first.runs.cancel(id);
      const next = await first.runs.takeUp(id);
      await expect.poll(() => count.all).toEqual({ ...BEFORE, rests: 2 });
      await first.die();
      hold.is = false;
      await using second = start();
      await second.engine.adopt();
      expect(await ended(second.runs, next.id)).toMatchObject({ status: 'completed', output: 'said' });
      expect(count.all).toEqual({ ...BEFORE, rests: 3 });
    });

    it('goes on with it where three processes died with both', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how, { holds: 'rests' });
      let process = start();
      const { id } = await begin(process.runs, kinds);
      for (let rests = 1; rests <= 3; rests += 1) {
        await expect.poll(() => count.all).toEqual({ ...BEFORE, rests });
        await process.die();
        process = start();
        await process.engine.adopt();
      }
      await using last = process;
      const crashed = await ended(last.runs, id);
      expect(crashed, JSON.stringify(crashed)).toMatchObject({
        status: 'failed',
        error: { code: 'NEXUS_CRASHED' },
      });
      hold.is = false;
      const done = await ended(last.runs, await last.runs.takeUp(id));
      expect(done).toMatchObject({ status: 'completed', output: 'said', usage: { calls: 0, keptCalls: 1 } });
      expect(count.all).toEqual({ ...BEFORE, rests: 4 });
    });

    it('begins another where it asks for something else', async () => {
      await using data = place();
      const count = counterOf();
      let given = 1;
      const inner = kindOf(
        async (input: number, run) => {
          await run.step('begins', () => count.add(`begins ${input}`));
          return run.step('rests', ({ signal }) => (input === 1 ? untilEnded(signal) : input));
        },
        { name: 'test.inner' },
      );
      const process: EngineUnderTest = startEngine(
        data,
        [kindOf((_, run) => below(run, how, given)), inner],
        {
          tools: toolsOf(() => process, how),
        },
      );
      await using _ = process;
      const { id } = await process.runs.start({ name: 'test.run', version: 1 }, null, {
        caller: { session },
      });
      await expect.poll(() => count.all).toEqual({ 'begins 1': 1 });
      await process.runs.cancel(id);
      given = 2;
      expect(await ended(process.runs, await process.runs.takeUp(id))).toMatchObject({ output: 2 });
      expect(count.all).toEqual({ 'begins 1': 1, 'begins 2': 1 });
    });

    it('has the answer of one that had come to its end, though it was begun after a failure', async () => {
      await using data = place();
      const count = counterOf();
      const inner = kindOf((_, run) => run.step('does', () => count.add('inner')), { name: 'test.inner' });
      const outer = kindOf(async (_, run) => {
        await run.step('fails', () => Promise.reject(new Error('no'))).catch(() => {});
        const said = await below(run, how, 1);
        await run.step('last', () => (count.add('last') === 1 ? Promise.reject(new Error('no')) : 'done'));
        return said;
      });
      const process: EngineUnderTest = startEngine(data, [outer, inner], {
        tools: toolsOf(() => process, how),
      });
      await using _ = process;
      const { id } = await process.runs.start({ name: 'test.run', version: 1 }, null, {
        caller: { session },
      });
      expect(await ended(process.runs, id)).toMatchObject({ status: 'failed' });
      expect(await ended(process.runs, await process.runs.takeUp(id))).toMatchObject({
        status: 'completed',
        output: 1,
      });
      expect(count.all).toEqual({ inner: 1, last: 2 });
    });

    it('begins another where its run refused what had come of the first', async () => {
      await using data = place();
      const count = counterOf();
      const inner = kindOf((_, run) => run.step('does', () => count.add('inner')), { name: 'test.inner' });
      const outer = kindOf(async (_, run) => {
        const said = await below(run, how, 1);
        if (said === 1)
          throw new ToolError('NEXUS_MODEL_OUTPUT', 'of no use', { detail: { refusedStep: 'call' } });
        return said;
      });
      const process: EngineUnderTest = startEngine(data, [outer, inner], {
        tools: toolsOf(() => process, how),
      });
      await using _ = process;
      const { id } = await process.runs.start({ name: 'test.run', version: 1 }, null, {
        caller: { session },
      });
      expect(await ended(process.runs, id)).toMatchObject({ error: { message: 'of no use' } });
      expect(await process.runs.planRerun(id, { goesOn: true })).toMatchObject({
        repeated: [{ name: 'call', runs: [{ isAnew: true }] }],
      });
      expect(await ended(process.runs, await process.runs.takeUp(id))).toMatchObject({ output: 2 });
    });

    it('begins it anew where it is done anew from a step, and the preview says which it is', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how);
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds);
      await expect.poll(() => count.all).toEqual({ ...BEFORE, writes: 1 });
      await runs.cancel(id);
      const middle = await within(runs, id, 'test.middle');
      const inner = await within(runs, id, 'test.inner');
      expect(await runs.planRerun(id, { goesOn: true })).toMatchObject({
        kept: ['test.outer before'],
        cost: { costUsd: 0 },
        repeated: [
          {
            name: 'call',
            runs: [
              {
                runId: middle?.id,
                isAnew: false,
                kept: ['test.middle before'],
                repeated: [
                  {
                    name: 'call',
                    runs: [
                      { runId: inner?.id, kept: ['inner before', 'pays'], unknown: ['writes'], repeated: [] },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      });
      expect(await runs.planRerun(id, { from: 'call' })).toMatchObject({
        kept: ['test.outer before'],
        cost: { costUsd: 0.5 },
        repeated: [{ name: 'call', runs: [{ runId: middle?.id, isAnew: true, cost: { costUsd: 0.5 } }] }],
      });
      hold.is = false;
      expect(await ended(runs, await runs.rerun(id, { from: 'call' }))).toMatchObject({
        status: 'completed',
      });
      expect(count.all).toEqual({
        'test.outer before': 1,
        'test.middle before': 2,
        'inner before': 2,
        writes: 2,
      });
    });
  },
);
