import { describe, expect, it } from 'vitest';
import { databasesByTurns, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { openRecord } from '../../test/record-of-runs.ts';
import { isWorking, shownStatus } from './run-view.ts';

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

describe('a run whose child was paused in the middle of a step', () => {
  it('stands paused, and works at nothing, unless another of its family does', async () => {
    await using record = await openRecord();
    const { on } = record;
    const underWay = { status: 'running', end_seq: null, ended_at: null } as const;
    await record.put({ id: 'run', status: 'waiting' });
    await record.putStep({ run_id: 'run', name: 'calls', ...underWay, status: 'waiting' });
    await record.put({
      id: 'child',
      root_id: 'run',
      parent_id: 'run',
      parent_step: 'calls',
      status: 'paused',
    });
    await record.putStep({ run_id: 'child', name: 'cut off', ...underWay });
    const shown = async () => [
      await shownStatus(on, await record.row('run'), async () => true),
      await isWorking(on, ['run', 'child']),
    ];
    expect(await shown()).toEqual(['paused', false]);
    await record.put({ id: 'other', root_id: 'run', parent_id: 'run', parent_step: 'calls', owner: 'me' });
    await record.putStep({ run_id: 'other', name: 'works', ...underWay });
    expect(await shown()).toEqual(['running', false]);
    expect(await isWorking(on, ['run', 'child', 'other'])).toBe(true);
  });
});
