import { describe, expect, it } from 'vitest';
import { databasesByTurns, kindOf, startEngine } from '../../test/engine-under-test.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe.each(databasesByTurns)('what is told of a run that nobody has, on $name', ({ place }) => {
  it('is that it was left, once somebody had it, and by what it goes on', async () => {
    await using data = place();
    let hasDone = () => {};
    const done = new Promise<void>((resolve) => {
      hasDone = resolve;
    });
    const kind = kindOf(async (_: null, run) => {
      await run.step('first', () => 1);
      hasDone();
      return run.step('second', ({ signal }) => untilAborted(signal));
    });
    const first = startEngine(data, [kind]);
    const { id } = await first.runs.start(kind, null);
    await done;
    await first.engine.stop(100);
    await using second = startEngine(data, [kind]);
    const { status, message } = await second.runs.get(id);
    expect({ status, message }).toEqual({
      status: 'queued',
      message: expect.stringMatching(/^It was left before its end, .*the next server.*`nexus runs resume`/),
    });
  });
});
