import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databases,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const NAMES = ['first', 'second', 'third'] as const;

/** A run with three steps side by side, none of which may be done twice, and all of which are held at first. */
function sideBySide(data: Place) {
  const count = counterOf();
  const hold = { is: true };
  const kind = kindOf((_: null, run: RunContext) =>
    Promise.all(
      NAMES.map((name) =>
        run.step(
          name,
          ({ signal }) => {
            count.add(name);
            return hold.is ? untilAborted(signal) : name;
          },
          { isRepeatable: false },
        ),
      ),
    ),
  );
  return { count, hold, kind, start: () => startEngine(data, [kind]) };
}

const ONCE = { first: 1, second: 1, third: 1 };
const TWICE = { first: 2, second: 2, third: 2 };
const ALL = expect.stringMatching(/"first"[\s\S]*"second"[\s\S]*"third"/);
const UNKNOWN = { status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN', message: ALL } };

describe.each(databases)(
  'steps of unknown outcome that were under way side by side, on $name',
  ({ place }) => {
    it('are all told before any of them is done again, where their process died', async () => {
      await using data = place();
      const { count, hold, kind, start } = sideBySide(data);
      const dead = start();
      const id = await dead.runs.start(kind, null);
      await expect.poll(() => count.all).toEqual(ONCE);
      await dead.die();
      hold.is = false;
      await using next = start();
      await next.engine.adopt();
      expect(await ended(next.runs, id)).toMatchObject(UNKNOWN);
      expect(count.all).toEqual(ONCE);
      const again = await next.runs.takeUp(id.id);
      expect(await ended(next.runs, again)).toMatchObject({ status: 'completed', output: NAMES });
      expect(count.all).toEqual(TWICE);
    });

    it('are all told before any of them is done again, where the run was cancelled', async () => {
      await using data = place();
      const { count, hold, kind, start } = sideBySide(data);
      await using process = start();
      const run = await process.runs.start(kind, null);
      await expect.poll(() => count.all).toEqual(ONCE);
      await process.runs.cancel(run.id);
      hold.is = false;
      const told = await process.runs.takeUp(run.id);
      expect(await ended(process.runs, told)).toMatchObject(UNKNOWN);
      expect(count.all).toEqual(ONCE);
      const again = await process.runs.takeUp(told.id);
      expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
      expect(count.all).toEqual(TWICE);
    });
  },
);

const UNTOLD = { code: 'NEXUS_OUTCOME_UNKNOWN' };

/** A step that must not be done twice, and that is held, beside another way of two steps, the first of which is too. */
function besides(data: Place, within: 'step' | 'child') {
  const count = counterOf();
  const hold = { is: true };
  const held =
    (name: string) =>
    async ({ signal }: { signal: AbortSignal }) => {
      count.add(`${name} begun`);
      if (hold.is) await untilAborted(signal);
      count.add(name);
    };
  const once = (run: RunContext) => run.step('once', held('once'), { isRepeatable: false });
  const inner = kindOf((_: null, run: RunContext) => once(run), { name: 'test.inner' });
  const kind = kindOf((_: null, run: RunContext) =>
    run.parallel<unknown>([
      () => (within === 'step' ? once(run) : run.child('child', { name: 'test.inner', version: 1 }, null)),
      async () => {
        await run.step('paid', held('paid'));
        await run.sleep('rest', 5);
        await run.step('paid after', held('paid after'));
      },
    ]),
  );
  return { count, hold, kind, start: () => startEngine(data, [kind, inner]) };
}

describe.each(databases)('a step of unknown outcome, on $name', ({ place }) => {
  it('is told after what follows on a long answer that has yet to be read', async () => {
    await using data = place();
    const count = counterOf();
    const hold = { is: true };
    const kind = kindOf((_: null, run: RunContext) =>
      run.parallel<unknown>([
        () =>
          run.step('once', ({ signal }) => (hold.is ? untilAborted(signal) : 'once'), {
            isRepeatable: false,
          }),
        async () => {
          await run.step('long', () => 'x'.repeat(200_000));
          await run.step('follows', ({ signal }) => {
            count.add('follows');
            return hold.is ? untilAborted(signal) : 'done';
          });
        },
      ]),
    );
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null);
    await expect.poll(() => count.all).toEqual({ follows: 1 });
    await process.runs.cancel(run.id);
    hold.is = false;
    const told = await process.runs.takeUp(run.id);
    expect(await ended(process.runs, told)).toMatchObject({ status: 'failed', error: UNTOLD });
    const again = await process.runs.takeUp(told.id);
    expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
    // Once cut off, once as the run was told.
    expect(count.all).toEqual({ follows: 2 });
  });

  it.each(['step', 'child'] as const)(
    'of a %s leaves what ended well beside it as it is, however late that began, where the run was cancelled',
    async (within) => {
      await using data = place();
      const { count, hold, kind, start } = besides(data, within);
      await using process = start();
      const run = await process.runs.start(kind, null);
      await expect.poll(() => count.all).toEqual({ 'once begun': 1, 'paid begun': 1 });
      await process.runs.cancel(run.id);
      hold.is = false;
      const told = await process.runs.takeUp(run.id);
      expect(await ended(process.runs, told)).toMatchObject({ status: 'failed', error: UNTOLD });
      expect(count.all).toMatchObject({ paid: 1, 'paid after': 1 });
      expect(count.all).not.toHaveProperty('once');
      const again = await process.runs.takeUp(told.id);
      expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
      expect(count.all).toMatchObject({ once: 1, paid: 1, 'paid after': 1 });
    },
  );

  it.each(['step', 'child'] as const)(
    'of a %s leaves what ended well beside it as it is, however late that began, where its process died',
    async (within) => {
      await using data = place();
      const { count, hold, kind, start } = besides(data, within);
      const dead = start();
      const run = await dead.runs.start(kind, null);
      await expect.poll(() => count.all).toEqual({ 'once begun': 1, 'paid begun': 1 });
      await dead.die();
      hold.is = false;
      await using process = start();
      await process.engine.adopt();
      expect(await ended(process.runs, run)).toMatchObject({ status: 'failed', error: UNTOLD });
      expect(count.all).toMatchObject({ paid: 1, 'paid after': 1 });
      expect(count.all).not.toHaveProperty('once');
      const again = await process.runs.takeUp(run.id);
      expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
      expect(count.all).toMatchObject({ once: 1, paid: 1, 'paid after': 1 });
    },
  );

  it('that says so itself leaves what ended well beside it as it is', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run: RunContext) =>
      run.parallel<unknown>([
        () =>
          run.step('once', () => {
            if (count.add('once') === 1) throw new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Nobody knows.');
          }),
        async () => {
          await run.sleep('rest', 50);
          await run.step('paid', () => count.add('paid'));
        },
      ]),
    );
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null);
    expect(await ended(process.runs, run)).toMatchObject({ status: 'failed', error: UNTOLD });
    const again = await process.runs.takeUp(run.id);
    expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ once: 2, paid: 1 });
  });

  it('is told where it began after a failure that the run has got over', async () => {
    await using data = place();
    const count = counterOf();
    const hold = { is: true };
    const kind = kindOf(async (_: null, run: RunContext) => {
      await run
        .step('fails', () => {
          count.add('fails');
          throw new ToolError('NEXUS_UNAVAILABLE', 'Not now.');
        })
        .catch(() => undefined);
      await run.step('after', () => count.add('after'));
      await run.step(
        'once',
        ({ signal }) => {
          count.add('once');
          return hold.is ? untilAborted(signal) : undefined;
        },
        { isRepeatable: false },
      );
    });
    await using process = startEngine(data, [kind], { graceMs: 200 });
    const run = await process.runs.start(kind, null);
    await expect.poll(() => count.all).toEqual({ fails: 1, after: 1, once: 1 });
    await process.runs.cancel(run.id);
    hold.is = false;
    const told = await process.runs.takeUp(run.id);
    expect(await ended(process.runs, told)).toMatchObject({ status: 'failed', error: UNTOLD });
    expect(count.all).toEqual({ fails: 1, after: 1, once: 1 });
    const again = await process.runs.takeUp(told.id);
    expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ fails: 2, after: 2, once: 2 });
  });

  it('that the run was told of, and went on from, stands with what it did after that', async () => {
    await using data = place();
    const count = counterOf();
    const fails = { how: 'waits' as 'waits' | 'fails' | 'not' };
    const kind = kindOf(async (_: null, run: RunContext) => {
      await run
        .step('once', () => {
          count.add('once');
          throw new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Nobody knows.');
        })
        .catch(() => run.step('looks', () => count.add('looks')));
      await run.step('last', async ({ signal }) => {
        count.add('last');
        if (fails.how === 'waits') await untilAborted(signal);
        if (fails.how === 'fails') throw new ToolError('NEXUS_UNAVAILABLE', 'Not now.');
      });
    });
    await using process = startEngine(data, [kind], { graceMs: 200 });
    const run = await process.runs.start(kind, null, { key: 'k' });
    await expect.poll(() => count.all).toEqual({ once: 1, looks: 1, last: 1 });
    await process.runs.cancel(run.id);
    fails.how = 'fails';
    const failed = await process.runs.start(kind, null, { key: 'k' });
    expect(await ended(process.runs, failed)).toMatchObject({ error: { code: 'NEXUS_UNAVAILABLE' } });
    fails.how = 'not';
    const again = await process.runs.takeUp(failed.id);
    expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ once: 1, looks: 1, last: 3 });
  });

  it('waits for a person beside it, at rest, and is shown', async () => {
    await using data = place();
    const kind = kindOf((_: null, run: RunContext) =>
      run.settle<unknown>([
        () =>
          run.step('once', () => {
            throw new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Nobody knows.');
          }),
        () => run.ask('may it', { message: 'May it?', requestedSchema: { type: 'object', properties: {} } }),
      ]),
    );
    await using process = startEngine(data, [kind], { parkAfterMs: 10 });
    const { id } = await process.runs.start(kind, null);
    await expect.poll(async () => (await process.runs.get(id)).status).toBe('waiting');
    const { on } = await process.engine.open();
    const row = () =>
      on.db
        .selectFrom('runs_runs')
        .select(['status', 'owner', 'epoch', 'wake_at'])
        .where('id', '=', id)
        .executeTakeFirst();
    await expect.poll(row).toEqual({ status: 'waiting', owner: null, epoch: 1, wake_at: null });
    const shown = await process.runs.get(id);
    expect(shown.steps.map(({ name, status }) => [name, status])).toEqual([
      ['once', 'failed'],
      ['may it', 'waiting'],
    ]);
    await process.runs.answer(id, { action: 'accept', content: {} });
    expect(await ended(process.runs, shown)).toMatchObject({
      output: [{ status: 'rejected' }, { status: 'fulfilled' }],
    });
  });

  it('is told while another only looks for what comes of that', async () => {
    await using data = place();
    const state = { is: false };
    const kind = kindOf((_: null, run: RunContext) =>
      run.parallel<unknown>([
        () =>
          run
            .step('once', () => {
              throw new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Nobody knows.');
            })
            .catch(() =>
              run.step('says so', () => {
                state.is = true;
              }),
            ),
        () =>
          run.step(
            'looks',
            () => {
              if (!state.is) throw new ToolError('NEXUS_UNAVAILABLE', 'Not yet.');
            },
            { retry: { attempts: 1_000, delayMs: 20, maxDelayMs: 20, isQuiet: true } },
          ),
      ]),
    );
    await using process = startEngine(data, [kind]);
    const run = await process.runs.start(kind, null);
    expect(await ended(process.runs, run)).toMatchObject({ status: 'completed' });
  });
});
