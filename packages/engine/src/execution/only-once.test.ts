import { describe, expect, it } from 'vitest';
import { counterOf, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe.each(databasesByTurns)('work that learns whether it may be done twice, on $name', ({ place }) => {
  it('is done again where its process died before it said so, and is of unknown outcome after', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((isOnce: boolean, run) =>
      run.step('work', async ({ signal, attempt, onlyOnce }) => {
        if (isOnce) await onlyOnce();
        count.add(isOnce ? 'once' : 'often');
        return attempt > 1 ? 'by the next' : untilAborted(signal);
      }),
    );
    await using dead = startEngine(data, [kind]);
    const once = await dead.runs.start(kind, true);
    const often = await dead.runs.start(kind, false);
    await expect.poll(() => count.all).toEqual({ once: 1, often: 1 });
    data.ahead(31_000);
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, often)).toMatchObject({ status: 'completed', output: 'by the next' });
    expect(await ended(next.runs, once)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_OUTCOME_UNKNOWN' },
    });
    expect(count.all).toEqual({ once: 1, often: 2 });
  });

  it('may be done twice again by its next attempt, until that says so too', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run) =>
      run.step(
        'work',
        async ({ signal, attempt, onlyOnce }) => {
          if (attempt === 1) {
            await onlyOnce();
            throw new Error('never let in');
          }
          count.add('work');
          return attempt > 2 ? 'by the next' : untilAborted(signal);
        },
        { retry: { attempts: 2, delayMs: 0, isRetryable: () => true } },
      ),
    );
    await using dead = startEngine(data, [kind]);
    const run = await dead.runs.start(kind, null);
    await expect.poll(() => count.all, { timeout: 5_000 }).toEqual({ work: 1 });
    data.ahead(31_000);
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ status: 'completed', output: 'by the next' });
    expect(count.all).toEqual({ work: 2 });
  });
});
