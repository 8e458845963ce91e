import { describe, expect, it } from 'vitest';
import { databasesByTurns, kindOf, type Place } from '../../test/engine-under-test.ts';
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
