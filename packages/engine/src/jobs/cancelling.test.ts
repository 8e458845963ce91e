import type { JobRun } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  databasesByTurns,
  type EngineUnderTest,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';
import { startWithJobs } from '../../test/engine-with-jobs.ts';
import { CALL } from '../record/job-kind.ts';
import { stepKey } from '../record/step-key.ts';

/** A job whose call has begun a run, left by a process that died; the run's step is done once the file says so. */
async function leftWithRun(data: Place) {
  const begun: string[] = [];
  const kind = kindOf((_: null, run) =>
    run.step('work', ({ signal }) => {
      begun.push(run.id);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }),
  );
  const before = startWithJobs(data, kind);
  const { job } = await before.start();
  await expect.poll(() => begun.length).toBe(1);
  await before.process.die();
  return { kind, jobId: job.jobId, runId: begun[0] ?? '', begun };
}

/** A job whose call has taken up a run that had been cancelled, and that asks. */
async function takenUp(data: Place) {
  const kind = kindOf((_: null, run) => run.ask('go', { message: 'Go on?' }));
  const call = async ({ signal, idempotencyKey: key }: JobRun): Promise<ToolCallResult> => {
    const { id } = await process.runs.takeUp(first.id, { caller: { session: { id: 's' } }, key });
    await process.runs.wait(id, { signal });
    return { content: [], structuredContent: { id } };
  };
  const process: EngineUnderTest = startEngine(data, [kind], { rerun: (_, run) => call(run) });
  const { engine, runs } = process;
  const first = await runs.start(kind, null);
  await runs.cancel(first.id);
  const job = { tool: 'resume_run', arguments: {}, sessionId: 's', mayRunTwice: true };
  const started = await engine.jobs.start({ ...job, run: call });
  const found = async () => (await runs.list({ limit: 9 })).runs.find(({ rerunOf }) => rerunOf === first.id);
  await expect.poll(async () => (await found())?.asks?.length, { timeout: 10_000 }).toBe(1);
  return { kind, process, jobId: started.job.jobId, runId: (await found())?.id ?? '' };
}

describe.each(databasesByTurns)('a job and the run that its call has taken up, on $name', ({ place }) => {
  it('ask as one: whoever waits for the job is asked, and it says that it waits for a person', async () => {
    await using data = place();
    const { process, jobId, runId } = await takenUp(data);
    await using _ = process;
    const { jobs } = process.engine;
    const { signal } = new AbortController();
    const isAsking = async () => (await jobs.wait(jobId, { waitMs: 0, signal })).status;
    await expect.poll(isAsking, { timeout: 10_000 }).toBe('input_required');
    const { on } = await process.engine.open();
    const message = 'it is running (10 s)';
    await on.db.updateTable('runs_runs').set({ message }).where('id', '=', jobId).execute();
    const said = `Run ${runId} waits for the answer of a person: \`nexus runs ${runId}\` shows how it is answered. It asks: Go on?`;
    expect((await jobs.wait(jobId, { waitMs: 0, signal })).statusMessage).toBe(said);
    expect((await jobs.list({ limit: 10 })).jobs).toMatchObject([{ jobId, statusMessage: said }]);
    expect((await process.runs.get(jobId)).begun).toEqual([runId]);
    await expect(jobs.outcome(jobId, { signal, ask: async () => undefined })).rejects.toMatchObject({
      code: 'NEXUS_INPUT_REQUIRED',
      detail: { runId },
    });
    const ask = async () => ({ action: 'accept' as const, content: {} });
    expect(await jobs.outcome(jobId, { signal, ask })).toMatchObject({ structuredContent: { id: runId } });
  });

  it.each(['job', 'run'] as const)('are cancelled as one, by the id of the %s', async (by) => {
    await using data = place();
    const { kind, process, jobId, runId } = await takenUp(data);
    await process.die();
    await using next = startEngine(data, [kind]);
    await next.runs.cancel(by === 'job' ? jobId : runId);
    for (const id of [jobId, runId]) expect(await next.runs.get(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe.each(databasesByTurns)('a job and the run that its call has begun, on $name', ({ place }) => {
  it.each(['job', 'run'] as const)(
    'are cancelled as one, where no process runs them, by the id of the %s',
    async (by) => {
      await using data = place();
      const { kind, jobId, runId, begun } = await leftWithRun(data);
      const { process } = startWithJobs(data, kind);
      await using _ = process;
      await process.runs.cancel(by === 'job' ? jobId : runId);
      const states = async () =>
        (await Promise.all([jobId, runId].map((id) => process.runs.get(id)))).map(({ status }) => status);
      expect(await states()).toEqual(['cancelled', 'cancelled']);
      await process.engine.adopt();
      expect(await states()).toEqual(['cancelled', 'cancelled']);
      expect(begun).toEqual([runId]);
      const { runs } = await process.runs.list({ limit: 10 });
      expect(runs.map(({ id }) => id)).toEqual([runId]);
    },
  );

  it('are shown together: a job names the runs that its call has begun, and none of another user', async () => {
    await using data = place();
    const { kind, jobId, runId } = await leftWithRun(data);
    const { process } = startWithJobs(data, kind);
    await using _ = process;
    const caller = { session: { id: 'other' }, user: 'bob' };
    await process.runs.start(kind, null, { caller, key: stepKey(jobId, CALL) });
    expect((await process.runs.get(jobId)).begun).toEqual([runId]);
    expect(await process.runs.get(runId)).not.toHaveProperty('begun');
  });

  it('that is cancelled as a job by its own door ends the run too', async () => {
    await using data = place();
    const { kind, jobId, runId } = await leftWithRun(data);
    const { process } = startWithJobs(data, kind);
    await using _ = process;
    expect(await process.engine.jobs.cancel(jobId)).toMatchObject({ status: 'cancelled' });
    expect(await process.runs.get(runId)).toMatchObject({ status: 'cancelled' });
  });

  it('are not ended by a run that another user began under the words of its key', async () => {
    await using data = place();
    const { kind, jobId, runId } = await leftWithRun(data);
    const { process } = startWithJobs(data, kind);
    await using _ = process;
    const caller = { session: { id: 'other' }, user: 'bob' };
    const { id } = await process.runs.start(kind, null, { caller, key: stepKey(jobId, CALL) });
    const status = async (of: string) => (await process.runs.get(of)).status;
    await process.runs.cancel(id, { user: 'bob' });
    expect([await status(id), await status(jobId), await status(runId)]).toEqual([
      'cancelled',
      expect.not.stringMatching('cancelled'),
      expect.not.stringMatching('cancelled'),
    ]);
  });
});
