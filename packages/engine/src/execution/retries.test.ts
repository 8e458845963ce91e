import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { counterOf, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const RETRY = { attempts: 2, delayMs: 1 };

describe.each(databasesByTurns)('the attempts that a step’s policy allows, on $name', ({ place }) => {
  it('are its own failures: one that ended with its process is none', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step(
        'work',
        () => {
          const times = count.add('attempt');
          if (times === 1) return new Promise(() => {});
          if (times === 2) throw new ToolError('NEXUS_UNAVAILABLE', 'not now');
          return times;
        },
        { retry: RETRY },
      ),
    );
    const first = startEngine(data, [kind]);
    const { id } = await first.runs.start(kind, null);
    await expect.poll(() => count.all).toMatchObject({ attempt: 1 });
    await first.die();
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, id)).toMatchObject({ status: 'completed', output: 3 });
  });

  it('are none of those at which its budget was spent', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf((_: null, run: RunContext) =>
      run.step(
        'work',
        async ({ ledger }) => {
          await ledger.reserve({ tokens: 10, costUsd: 0 }, 'a call');
          if (count.add('paid') === 1) throw new ToolError('NEXUS_UNAVAILABLE', 'not now');
          return 'done';
        },
        { retry: RETRY },
      ),
    );
    await using process = startEngine(data, [kind]);
    await process.engine.adopt();
    const { id } = await process.runs.start(kind, null, { cap: { tokens: 1 } });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'paused' });
    await process.runs.resume(id, { cap: { tokens: 100 } });
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 'done' });
  });
});
