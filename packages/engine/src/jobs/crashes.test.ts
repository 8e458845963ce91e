import type { JobRun } from '@nexus/core';
import type { AnyRunKind, ToolCallResult } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  databasesByTurns,
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
function startWith(
  place: Place,
  called: AnyRunKind,
  beforeTelling: (own: AbortSignal) => Promise<void> = async () => {},
) {
  const call = async ({ signal: own, idempotencyKey: key }: JobRun): Promise<ToolCallResult> => {
    const { id } = await process.runs.start(called, null, { caller: { session: { id: 's' } }, key });
    const { status, error } = await process.runs.wait(id, { signal: own });
    await beforeTelling(own);
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

/** Processes die one after the other, each as it is about to tell what the run came to. */
async function afterDeathsUntold(place: Place, deaths: number) {
  let jobId = '';
  for (let death = 0; death < deaths; death += 1) {
    let isTelling = false;
    const { process, start } = startWith(place, tenSteps(undefined), (own) => {
      isTelling = true;
      return untilAborted(own);
    });
    if (jobId === '') ({ jobId } = (await start()).job);
    await process.engine.adopt();
    await afterItsPause(place, process);
    await expect.poll(() => isTelling).toBe(true);
    await process.die();
  }
  const { process } = startWith(place, tenSteps(undefined));
  await process.engine.adopt();
  return { process, jobId };
}

async function afterItsPause(place: Place, { engine }: EngineUnderTest) {
  const { on, worker } = await engine.open();
  const dead = on.db.selectFrom('runs_workers').select('id').where('seen_at', '=', 1);
  await expect.poll(async () => (await dead.execute()).length).toBe(0);
  place.ahead(600_000);
  await worker.tick();
}

describe.each(databasesByTurns)('a job that waits for the run of its call, on $name', ({ place }) => {
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

  it('tells what its run came to, however many died as they were about to', async () => {
    await using data = place();
    const { process, jobId } = await afterDeathsUntold(data, 4);
    await using _process = process;
    await afterItsPause(data, process);
    expect(await process.engine.jobs.outcome(jobId, { signal })).toMatchObject({ structuredContent: {} });
  });

  it('is left alone for a while once several died as they were about to tell', async () => {
    await using data = place();
    const { process, jobId } = await afterDeathsUntold(data, 5);
    await using _process = process;
    const { on } = await process.engine.open();
    const job = on.db.selectFrom('runs_runs').select(['wake_at', 'updated_at', 'status']);
    const row = () => job.where('id', '=', jobId).executeTakeFirstOrThrow();
    await expect.poll(async () => (await row()).status).toBe('queued');
    const { wake_at, updated_at } = await row();
    const pauseMs = Number(wake_at) - Number(updated_at);
    expect(pauseMs).toBeGreaterThanOrEqual(8_000);
    expect(pauseMs).toBeLessThan(16_000);
  });

  it('ends with where its run is, once twenty died as they were about to tell', async () => {
    await using data = place();
    const { process, jobId } = await afterDeathsUntold(data, 20);
    await using _process = process;
    const { runs } = await process.runs.list({ limit: 1 });
    expect(runs[0]?.status).toBe('completed');
    const message = expect.stringContaining(`nexus://runs/${runs[0]?.id}`);
    expect(await process.engine.jobs.outcome(jobId, { signal })).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_CRASHED', message } },
    });
  });
});
