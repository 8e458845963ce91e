import type { RunContext } from '@nexus/plugin-sdk';
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

    it('leave what ended well beside them as it is', async () => {
      await using data = place();
      const count = counterOf();
      const hold = { is: true };
      const kind = kindOf((_: null, run: RunContext) =>
        Promise.all([
          run.step(
            'once',
            ({ signal }) => {
              count.add('once');
              return hold.is ? untilAborted(signal) : 'once';
            },
            { isRepeatable: false },
          ),
          run
            .step('paid', () => count.add('paid'))
            .then(() => run.step('paid after', () => count.add('paid after'))),
        ]),
      );
      await using process = startEngine(data, [kind]);
      const run = await process.runs.start(kind, null);
      await expect.poll(() => count.all).toEqual({ once: 1, paid: 1, 'paid after': 1 });
      const stepsDone = async () =>
        (await process.runs.get(run.id))?.steps.filter(({ status }) => status === 'completed').length;
      await expect.poll(stepsDone).toBe(2);
      await process.runs.cancel(run.id);
      hold.is = false;
      const told = await process.runs.takeUp(run.id);
      expect(await ended(process.runs, told)).toMatchObject({
        status: 'failed',
        error: { code: 'NEXUS_OUTCOME_UNKNOWN' },
      });
      const again = await process.runs.takeUp(told.id);
      expect(await ended(process.runs, again)).toMatchObject({ status: 'completed' });
      expect(count.all).toEqual({ once: 2, paid: 1, 'paid after': 1 });
    });
  },
);
