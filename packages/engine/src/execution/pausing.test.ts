import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, type EngineUnderTest, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { endRun } from '../record/ending.ts';

describe.each(databases)('a run that ends as it begins a step, on $name', ({ place }) => {
  it('does nothing of it, and nobody is told that it may have', async () => {
    await using data = place();
    let isMended = false;
    let sent = 0;
    const kind = kindOf((_: null, run) => {
      const send = () => {
        sent += 1;
        return sent;
      };
      const sends = run.step('sends', send, { isRepeatable: false });
      if (isMended) return sends;
      sends.catch(() => {});
      throw new Error('broken');
    });
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const { id } = await runs.start(kind, null);
    const failed = await ended(runs, id);
    expect([failed.status, failed.error?.message, sent]).toEqual(['failed', 'broken', 0]);
    isMended = true;
    const next = await runs.takeUp(id);
    expect(await ended(runs, next.id)).toMatchObject({ output: 1 });
  });
});

describe.each(databases)(
  'a run that is cancelled elsewhere as its step says that it is not to be repeated, on $name',
  ({ place }) => {
    it('gives its place up', async () => {
      await using data = place();
      const kind = kindOf((_: null, run) =>
        run.step('once', async (step) => {
          const { on } = await process.engine.open();
          const error = new ToolError('NEXUS_CANCELLED', 'by another process');
          await on.write((trx) => endRun(trx, on, run.id, { status: 'cancelled', error }));
          await step.onlyOnce();
        }),
      );
      const next = kindOf(async () => 'next', { name: 'test.next' });
      await using process: EngineUnderTest = startEngine(data, [kind, next], {
        limits: { runsPerProcess: 1 },
      });
      await process.engine.adopt();
      const { id } = await process.runs.start(kind, null);
      await expect.poll(async () => (await process.runs.get(id)).status).toBe('cancelled');
      expect(await ended(process.runs, await process.runs.start(next, null))).toMatchObject({
        output: 'next',
      });
    });
  },
);

describe.each(databases)('a run that pauses, on $name', ({ place }) => {
  it('does so once a step that it was about to begin is done, and keeps what that came to', async () => {
    await using data = place();
    let isRich = false;
    const paid: boolean[] = [];
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const kind = kindOf((_: null, run) =>
      Promise.all([
        run.step('dear', () => {
          if (isRich) return 'dear';
          go();
          throw new ToolError('NEXUS_BUDGET_EXCEEDED', 'The budget is spent.');
        }),
        gone.then(() =>
          run.step('beside', async () => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            paid.push(isRich);
            return 'beside';
          }),
        ),
      ]),
    );
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const { id } = await runs.start(kind, null);
    const paused = await ended(runs, id);
    expect([paused.status, paid]).toEqual(['paused', [false]]);
    isRich = true;
    await runs.resume(id, { cap: { tokens: 10 } });
    expect(await ended(runs, id)).toMatchObject({ output: ['dear', 'beside'] });
    expect(paid).toEqual([false]);
  });

  it('is left to the next process where this one ends before a step that it waits for has', async () => {
    await using data = place();
    let isRich = false;
    const begun: boolean[] = [];
    const kind = kindOf((_: null, run) =>
      Promise.all([
        run.step('beside', ({ signal }) => {
          begun.push(isRich);
          return isRich
            ? 'beside'
            : new Promise<never>((_resolve, reject) =>
                signal.addEventListener('abort', () => reject(signal.reason)),
              );
        }),
        run.step('dear', () => {
          if (isRich) return 'dear';
          throw new ToolError('NEXUS_BUDGET_EXCEEDED', 'The budget is spent.');
        }),
      ]),
    );
    const first = startEngine(data, [kind]);
    const { id } = await first.runs.start(kind, null);
    await expect
      .poll(async () => (await first.runs.get(id)).steps.map(({ name, status }) => `${name} ${status}`))
      .toEqual(['beside running', 'dear waiting']);
    await first.engine.stop(100);
    isRich = true;
    await using second = startEngine(data, [kind]);
    expect((await second.runs.get(id)).status).toBe('queued');
    await second.engine.adopt();
    expect(await ended(second.runs, id)).toMatchObject({ output: ['beside', 'dear'] });
    expect(begun).toEqual([false, true]);
  });
});
