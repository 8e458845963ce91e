import { ToolError } from '@nexus/plugin-sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  counterOf,
  databases,
  databasesByTurns,
  ended,
  kindOf,
  startEngine,
} from '../../test/engine-under-test.ts';

afterEach(() => void vi.useRealTimers());

const away = () => new ToolError('NEXUS_STORE_UNAVAILABLE', 'The connection broke.');

describe.each(databasesByTurns)(
  'work of a step that failed by a store that is away, on $name',
  ({ place }) => {
    it('is done again, and the run does not know of it', async () => {
      await using data = place();
      const count = counterOf();
      const kind = kindOf((_: null, run) =>
        run.step('writes', () => {
          if (count.add('writes') === 1) throw away();
          return 'written';
        }),
      );
      await using process = startEngine(data, [kind]);
      const { id } = await process.runs.start(kind, null);
      expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 'written' });
      expect(count.all).toEqual({ writes: 2 });
      expect((await process.runs.events(id)).map(({ type }) => type)).toContain('step.retrying');
    });

    it('is not done again where doing it twice could do harm', async () => {
      await using data = place();
      const count = counterOf();
      const kind = kindOf((_: null, run) =>
        run.step(
          'writes',
          () => {
            count.add('writes');
            throw away();
          },
          { isRepeatable: false },
        ),
      );
      await using process = startEngine(data, [kind]);
      const { id } = await process.runs.start(kind, null);
      expect(await ended(process.runs, id)).toMatchObject({ status: 'failed', error: { code: away().code } });
      expect(count.all).toEqual({ writes: 1 });
    });
  },
);

const [sqlite] = databases;
it('work that fails so again and again, while the record answers, fails its run in the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await using data = sqlite?.place() ?? expect.unreachable();
  const count = counterOf();
  const kind = kindOf((_: null, run) =>
    run.step(
      'writes',
      () => {
        count.add('writes');
        throw away();
      },
      { retry: { attempts: 2, isRetryable: () => true } },
    ),
  );
  await using process = startEngine(data, [kind], { parkAfterMs: 1e9 });
  const { id } = await process.runs.start(kind, null);
  await expect
    .poll(
      async () => {
        data.ahead(60_000);
        vi.advanceTimersByTime(60_000);
        return (await process.runs.get(id)).status;
      },
      { timeout: 20_000 },
    )
    .toBe('failed');
  // Five times beside the two that its policy allows.
  expect(count.all).toEqual({ writes: 7 });
});
