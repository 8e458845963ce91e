import type { RunContext } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { counterOf, databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

it.each(databases)(
  'a run that is resumed says how often processes died with it, on $name',
  async ({ place }) => {
    await using data = place();
    const count = counterOf();
    const hold = { is: true };
    const held = (run: RunContext) =>
      run.step('held', ({ signal }) => {
        count.add('held');
        if (!hold.is) return 'done';
        return new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      });
    const kind = kindOf((_: unknown, run) => held(run));
    let process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await expect.poll(() => count.all).toEqual({ held: 1 });
    expect(await process.runs.resume(id)).not.toHaveProperty('deaths');
    // Three in a row would end it.
    for (const deaths of [1, 2, 3]) {
      await process.die();
      process = startEngine(data, [kind]);
      await process.engine.adopt();
      await expect.poll(() => count.all).toEqual({ held: deaths + 1 });
      expect(await process.runs.resume(id)).toMatchObject({ status: 'running', deaths });
    }
    hold.is = false;
    await process.die();
    await using last = startEngine(data, [kind]);
    await last.engine.adopt();
    expect(await ended(last.runs, id)).toMatchObject({ output: 'done' });
  },
);
