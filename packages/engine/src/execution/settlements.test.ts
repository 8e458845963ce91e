import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { type Ground, machine } from '../ground.ts';

/** A clock on which nobody looks by himself: the time between two such looks is never over. */
const untold: Ground = {
  ...machine,
  after: (ms, call) => machine.after(ms === 5_000 ? 2 ** 30 : ms, call),
};

describe.each(databasesByTurns)(
  'a call that waits for room in its family’s budget, on $name',
  ({ place }) => {
    it('hears of what another process has settled', async () => {
      await using data = place();
      let looks = 0;
      const estimate = {
        costUsd: 0,
        // Read for each cap that it is held to, and again to see whether it could ever fit.
        get tokens() {
          looks += 1;
          return 80;
        },
      };
      const far = kindOf(
        (_: null, run) =>
          run.step('far', async ({ ledger }) => {
            await (await ledger.reserve(estimate, 'A call')).settle({ tokens: 10, costUsd: 0 });
            return 'done';
          }),
        { name: 'test.far' },
      );
      let settle = () => {};
      const isTried = new Promise<void>((resolve) => {
        settle = resolve;
      });
      let isHeld = false;
      const near = kindOf((_: null, run) =>
        run.parallel([
          () =>
            run.step('near', async ({ ledger }) => {
              const held = await ledger.reserve({ tokens: 80, costUsd: 0 }, 'A call');
              isHeld = true;
              await isTried;
              await held.settle({ tokens: 10, costUsd: 0 });
            }),
          () => run.child('far', far, null),
        ]),
      );
      await using one = startEngine(data, [near], { ground: untold });
      await using other = startEngine(data, [far], { ground: untold });
      const { id } = await one.runs.start(near, null, { cap: { tokens: 100 } });
      await expect.poll(() => isHeld).toBe(true);
      await other.engine.adopt();
      // Once as it comes, and once more as it begins to wait.
      await expect.poll(() => looks).toBeGreaterThanOrEqual(4);
      settle();
      expect(await ended(one.runs, id, 10_000)).toMatchObject({ status: 'completed' });
    });
  },
);
