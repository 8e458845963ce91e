import {
  type AnyRunKind,
  type Run,
  type RunContext,
  type Runs,
  type ToolCaller,
  ToolError,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databases,
  type EngineUnderTest,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const session = { id: 's' };

/** Tools that are runs, each of the kind of its name, as `defineRunTool` makes them. */
function toolsOf(runs: () => Runs) {
  return ({ id }: { id: string }, { step, signal }: { step: string; signal: AbortSignal }): ToolCaller => ({
    list: () => [],
    find: () => undefined,
    check: async () => [],
    async call(name, params) {
      const { 'nexus/idempotencyKey': key = '' } = params._meta as Record<string, string>;
      const caller = { session, run: { id, step } };
      const kind = { name, version: 1 };
      const run = await runs().start(kind, params.arguments, { caller, key });
      const done = await runs().wait(run.id, { signal });
      if (done.status === 'completed') return { content: [], structuredContent: { said: done.output } };
      const { code = 'NEXUS_CANCELLED', message = done.status } = done.error ?? {};
      const envelope = { code, message, retryable: false, detail: { runId: run.id } };
      return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
    },
  });
}

/** A step that calls a tool that is a run, and fails as that does. */
const calling = (run: RunContext, name: string, given: unknown = 1) =>
  run.step('call', async ({ tools }) => {
    const { isError, structuredContent, _meta } = await tools.call(name, { arguments: given });
    const { code, message } = Object(_meta?.['nexus/error']) as { code: 'NEXUS_INTERNAL'; message: string };
    if (isError) throw new ToolError(code, message);
    return structuredContent?.said;
  });

const untilEnded = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const pays = (run: RunContext) =>
  run.step('pays', async ({ ledger }) => {
    const held = await ledger.reserve({ tokens: 10, costUsd: 0.5 }, 'a call');
    await held.settle({ tokens: 10, costUsd: 0.5 }, 'paid');
  });

type How = 'call' | 'child';

/** A run within a run within a run: by steps that call tools, or as children. The last is held in what it does. */
function nested(data: Place, how: How, { holds = 'writes' as 'writes' | 'rests' } = {}) {
  const count = counterOf();
  const hold = { is: true };
  const below = (run: RunContext, name: string) =>
    how === 'call' ? calling(run, name) : run.child('call', { name, version: 1 }, 1);
  const does = (run: RunContext, name: string) =>
    run.step(name, () => count.add(name), { isRepeatable: false });
  const level = (name: string, next: string) =>
    kindOf(
      async (_: unknown, run) => {
        await does(run, `${name} before`);
        return below(run, next);
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
    const process: EngineUnderTest = startEngine(data, kinds, { tools: toolsOf(() => process.runs) });
    return process;
  };
  return { count, hold, start, kinds };
}

const BEFORE = { 'test.outer before': 1, 'test.middle before': 1, 'inner before': 1 };
const UNKNOWN = { status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN' } };

const begin = (runs: Runs, kinds: readonly AnyRunKind[], key?: string) =>
  runs.start(kinds[0] as AnyRunKind, null, { caller: { session }, ...(key === undefined ? {} : { key }) });

async function runsBelow(runs: Runs, id: string): Promise<Run[]> {
  const { children } = await runs.get(id);
  const all: Run[] = [];
  for (const child of children) all.push(child, ...(await runsBelow(runs, child.id)));
  return all;
}

const ways = databases.flatMap(({ name, place }) =>
  (['call', 'child'] as const).map((how) => ({ name, place, how })),
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
      expect(done).toMatchObject({ status: 'completed', output: 'said', usage: { costUsd: 0.5 } });
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
      expect(done).toMatchObject({ status: 'completed', rerunOf: id, usage: { costUsd: 0.5 } });
      expect(count.all).toEqual({ ...BEFORE, rests: 2 });
    });

    it('goes on with it where that alone was cancelled, and the outer run failed by it', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how);
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds, 'k');
      await expect.poll(() => count.all).toEqual({ ...BEFORE, writes: 1 });
      const inner = (await runsBelow(runs, id)).find(({ kind }) => kind === 'test.inner');
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
      const [middle] = (await runs.get(id)).children;
      await runs.cancel(id);
      const alone = await runs.takeUp(middle?.id ?? '');
      await expect.poll(() => count.all).toEqual({ ...BEFORE, rests: 2 });
      // While that goes on, it is waited for.
      const next = await runs.takeUp(id);
      expect(await ended(runs, next.id, 300)).toMatchObject({ status: 'running' });
      hold.is = false;
      const rests = (await runsBelow(runs, alone.id)).find(({ kind }) => kind === 'test.inner');
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

    it('begins it anew where it is done anew from a step, and the preview says which it is', async () => {
      await using data = place();
      const { count, hold, start, kinds } = nested(data, how);
      await using process = start();
      const { runs } = process;
      const { id } = await begin(runs, kinds);
      await expect.poll(() => count.all).toEqual({ ...BEFORE, writes: 1 });
      await runs.cancel(id);
      const [middle] = (await runs.get(id)).children;
      const inner = middle && (await runs.get(middle.id)).children[0];
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
