import type { JobRun } from '@nexus/core';
import type { AnyRunKind, ToolCallResult } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  databases,
  type EngineUnderTest,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const { signal } = new AbortController();
const untilAborted = (of: AbortSignal) =>
  new Promise<never>((_, reject) => of.addEventListener('abort', () => reject(of.reason)));

/** A run of ten steps that stays at one of them; past it where there is none. */
function tenSteps(stuckAt: number | undefined, onStep: (at: number) => void = () => {}): AnyRunKind {
  return kindOf(async (_: null, run) => {
    for (let at = 1; at <= 10; at += 1) {
      await run.step(`${at}`, (step) => {
        onStep(at);
        return at === stuckAt ? untilAborted(step.signal) : at;
      });
    }
    return 'done';
  });
}

/** A process whose jobs call a tool that is a run, under the job's key. */
function startWith(place: Place, called: AnyRunKind) {
  const call = async ({ signal: own, idempotencyKey: key }: JobRun): Promise<ToolCallResult> => {
    const { id } = await process.runs.start(called, null, { caller: { session: { id: 's' } }, key });
    const { status, error } = await process.runs.wait(id, { signal: own });
    if (status === 'completed') return { content: [], structuredContent: {} };
    const envelope = { code: error?.code, message: error?.message, retryable: false };
    return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
  };
  const process: EngineUnderTest = startEngine(place, [called], { rerun: (_, run) => call(run) });
  const start = () =>
    process.engine.jobs.start({ tool: 'work', arguments: {}, sessionId: 's', mayRunTwice: true, run: call });
  return { process, start };
}

/** Processes die one after the other, each while the called run is at the next of these steps. */
async function afterDeathsAt(place: Place, steps: readonly number[]) {
  let jobId = '';
  for (const at of steps) {
    let reached = 0;
    const { process, start } = startWith(
      place,
      tenSteps(at, (step) => {
        reached = step;
      }),
    );
    if (jobId === '') ({ jobId } = (await start()).job);
    await process.engine.adopt();
    await expect.poll(() => reached).toBe(at);
    // Both are in its hands when it dies.
    const { on } = await process.engine.open();
    const owned = on.db.selectFrom('runs_runs').select('id').where('owner', 'is not', null);
    await expect.poll(async () => (await owned.execute()).length).toBe(2);
    await process.die();
  }
  const { process } = startWith(place, tenSteps(undefined));
  await process.engine.adopt();
  return { process, jobId };
}

describe.each(databases)('a job that waits for the run of its call, on $name', ({ place }) => {
  it.each([
    ['goes on where two processes died within one step of the run', [1, 1]],
    ['goes on for as long as the run gets further', [1, 4, 7, 10]],
  ])('%s', async (_, deaths) => {
    await using data = place();
    const { process, jobId } = await afterDeathsAt(data, deaths);
    await using _process = process;
    expect(await process.engine.jobs.outcome(jobId, { signal })).toMatchObject({ structuredContent: {} });
  });

  it('is told that the run ended, where three died with it at the same step', async () => {
    await using data = place();
    const { process, jobId } = await afterDeathsAt(data, [4, 4, 4]);
    await using _process = process;
    expect(await process.engine.jobs.outcome(jobId, { signal })).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_CRASHED' } },
    });
  });
});
