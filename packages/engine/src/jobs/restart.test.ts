import { ERROR_META_KEY, toErrorResult } from '@nexus/core';
import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import { databasesByTurns } from '../../test/engine-under-test.ts';
import { rowOf } from '../../test/record-of-runs.ts';
import { heldWork, result, type ServerUnderTest, startServer, work } from '../../test/server-under-test.ts';
import type { JobsEngine } from './jobs-engine.ts';
import { startJob } from './start-job.ts';

const { signal } = new AbortController();

/** What the job came to, told by a server that took over. */
async function settled(server: ServerUnderTest, jobId: string) {
  await server.adopt();
  return server.jobs.wait(jobId, { waitMs: 30_000, signal });
}

describe.each(databasesByTurns)('jobs of a server that died, on $name', ({ place }) => {
  it('run again where that does no harm, with the arguments and for the session they had', async () => {
    await using data = place();
    await using dead = startServer(data);
    const { job, end } = heldWork({ mayRunTwice: true });
    const { jobId } = (await dead.jobs.start(job)).job;
    await dead.giveAway(jobId);
    await using next = startServer(data);
    expect(await settled(next, jobId)).toMatchObject({ status: 'completed', result: result('again') });
    expect(next.reruns).toMatchObject([{ tool: job.tool, arguments: job.arguments, sessionId: 'session' }]);
    end('from the dead');
    await dead.jobs.wait(jobId, { waitMs: 0, signal });
    expect(await next.jobs.outcome(jobId, { signal })).toEqual(result('again'));
  });

  it('are taken up once by their key, however many ask at the same time', async () => {
    await using data = place();
    await using dead = startServer(data);
    const { job, end } = heldWork({ mayRunTwice: true, idempotencyKey: 'k' });
    const { jobId } = (await dead.jobs.start(job)).job;
    await dead.giveAway(jobId);
    await using next = startServer(data);
    const again = heldWork();
    const asks = () => next.jobs.start({ ...job, run: again.job.run });
    const { on, worker } = await next.open();
    // Another that asks the same is faster by a moment: what it has begun is not what was left.
    const isRidOf = async () => {
      expect(await asks()).toMatchObject({ isNew: true, job: { jobId } });
      return false;
    };
    const engine = { on, worker: { ...worker, isRidOf }, liveCalls: new Map() } as unknown as JobsEngine;
    expect(await startJob(engine, job)).toMatchObject({ isNew: false, job: { jobId } });
    expect(await Promise.all(Array.from({ length: 9 }, asks))).toEqual(
      Array.from({ length: 9 }, () => expect.objectContaining({ isNew: false })),
    );
    again.end('once');
    expect(await next.jobs.outcome(jobId, { signal })).toEqual(result('once'));
    end('from the dead');
  });

  it('are not repeated otherwise: their outcome is unknown', async () => {
    await using data = place();
    await using dead = startServer(data);
    const { job, begun, end } = heldWork();
    const { jobId } = (await dead.jobs.start(job)).job;
    await begun;
    await dead.giveAway(jobId);
    await using next = startServer(data);
    const ended = await settled(next, jobId);
    expect(ended).toMatchObject({
      status: 'failed',
      result: { _meta: { [ERROR_META_KEY]: { code: 'NEXUS_OUTCOME_UNKNOWN' } } },
    });
    expect(next.reruns).toEqual([]);
    end('too late');
  });

  it('are not repeated either where the call had begun before there was a job, and nothing says more', async () => {
    await using data = place();
    await using dead = startServer(data);
    const { job, begun, end } = heldWork({ isUnderWay: true });
    const { jobId } = (await dead.jobs.start(job)).job;
    await begun;
    const { on } = await dead.open();
    await on.db.deleteFrom('runs_steps').where('run_id', '=', jobId).execute();
    await dead.giveAway(jobId);
    await using next = startServer(data);
    expect(await settled(next, jobId)).toMatchObject({
      status: 'failed',
      result: { _meta: { [ERROR_META_KEY]: { code: 'NEXUS_OUTCOME_UNKNOWN' } } },
    });
    expect(next.reruns).toEqual([]);
    end('too late');
  });

  it('are repeated by who calls again with the key, whether or not they were found before', async () => {
    await using data = place();
    await using dead = startServer(data);
    const found = heldWork({ idempotencyKey: 'found' });
    const open = heldWork({ idempotencyKey: 'open' });
    const ids = [(await dead.jobs.start(found.job)).job.jobId, (await dead.jobs.start(open.job)).job.jobId];
    await Promise.all([found.begun, open.begun]);
    for (const id of ids) await dead.giveAway(id);
    await using next = startServer(data);
    const early = await next.jobs.start({ ...open.job, run: async () => result('early') });
    expect(early).toMatchObject({ isNew: true, job: { jobId: ids[1] } });
    await settled(next, ids[0] ?? '');
    const late = await next.jobs.start({ ...found.job, run: async () => result('late') });
    expect(late).toMatchObject({ isNew: true, job: { jobId: ids[0] } });
    expect(await next.jobs.outcome(late.job.jobId, { signal })).toEqual(result('late'));
    expect(await next.jobs.outcome(early.job.jobId, { signal })).toEqual(result('early'));
    found.end('dead');
    open.end('dead');
  });

  it('go to one of several servers that look for them', async () => {
    await using data = place();
    await using dead = startServer(data);
    const { job, end } = heldWork({ mayRunTwice: true });
    const { jobId } = (await dead.jobs.start(job)).job;
    await dead.giveAway(jobId);
    await using one = startServer(data);
    await using other = startServer(data);
    await other.adopt();
    expect(await settled(one, jobId)).toMatchObject({ status: 'completed' });
    // Both have looked by then: a job that neither saw would not have ended, and the second comes later.
    await vi.waitFor(() => expect([...one.reruns, ...other.reruns]).toHaveLength(1));
    end('dead');
  });

  it('of a living server are left alone', async () => {
    await using data = place();
    await using living = startServer(data);
    const { job, end } = heldWork({ mayRunTwice: true });
    const { jobId } = (await living.jobs.start(job)).job;
    await using next = startServer(data);
    await next.adopt();
    expect(await next.jobs.wait(jobId, { waitMs: 2_000, signal })).toMatchObject({ status: 'working' });
    expect(next.reruns).toEqual([]);
    end('mine');
    expect(await next.jobs.outcome(jobId, { signal })).toEqual(result('mine'));
  });

  it('of a server that stopped in order are known to have ended, and taken over at once', async () => {
    await using data = place();
    const stopping = toErrorResult(new ToolError('NEXUS_SHUTTING_DOWN', 'stopping'));
    if (!stopping) throw new Error('no result');
    const ids: string[] = [];
    {
      await using server = startServer(data);
      for (const mayRunTwice of [true, false]) {
        const job = heldWork({ mayRunTwice });
        let begin = () => {};
        const begun = new Promise<void>((resolve) => {
          begin = resolve;
        });
        const untilStopped = heldWork({
          mayRunTwice,
          run: () => {
            begin();
            return new Promise((resolve) =>
              server.shutdown.addEventListener('abort', () => resolve(stopping)),
            );
          },
        });
        ids.push((await server.jobs.start(job.job)).job.jobId);
        ids.push((await server.jobs.start(untilStopped.job)).job.jobId);
        await Promise.all([job.begun, begun]);
      }
    }
    await using next = startServer(data);
    expect(await settled(next, ids[0] ?? '')).toMatchObject({ result: result('again') });
    expect(await settled(next, ids[1] ?? '')).toMatchObject({ result: result('again') });
    for (const id of ids.slice(2)) {
      expect(await settled(next, id)).toMatchObject({
        result: { _meta: { [ERROR_META_KEY]: { code: 'NEXUS_OUTCOME_UNKNOWN' } } },
      });
    }
  });
});

describe.each(databasesByTurns)('a call that a run makes again, on $name', ({ place }) => {
  it('takes its family no step back: what was done since the last death counts', async () => {
    await using data = place();
    await using server = startServer(data);
    const { on, worker } = await server.open();
    const { db } = on;
    const owner = await worker.join();
    // One step was done when a process died: the call, which had failed.
    await db
      .insertInto('runs_runs')
      .values(rowOf({ id: 'run_first', owner, crashes: 1, crash_steps: 1 }))
      .execute();
    const spent = toErrorResult(new ToolError('NEXUS_BUDGET_EXCEEDED', 'The cap is reached.')) ?? result('');
    const parent = { id: 'run_first', step: 'calls' };
    const call = work({ idempotencyKey: 'k', mayRunTwice: true, parent, run: async () => spent });
    const { jobId } = (await server.jobs.start(call)).job;
    await server.jobs.outcome(jobId, { signal });
    const again = heldWork();
    const made = await server.jobs.start({ ...call, run: again.job.run });
    expect(made).toMatchObject({ isNew: true, job: { jobId } });
    const first = db.selectFrom('runs_runs').select(['crashes', 'crash_steps']).where('id', '=', 'run_first');
    expect(await first.executeTakeFirst()).toEqual({ crashes: 1, crash_steps: 0 });
    again.end('done');
  });

  it('is not made by a process that the run was taken from a moment before', async () => {
    await using data = place();
    await using server = startServer(data);
    const { on, worker } = await server.open();
    const owner = await worker.join();
    await on.db
      .insertInto('runs_runs')
      .values(rowOf({ id: 'run_first', owner }))
      .execute();
    const spent = toErrorResult(new ToolError('NEXUS_BUDGET_EXCEEDED', 'The cap is reached.')) ?? result('');
    const parent = { id: 'run_first', step: 'calls' };
    const call = work({ idempotencyKey: 'k', mayRunTwice: true, parent, run: async () => spent });
    const { jobId } = (await server.jobs.start(call)).job;
    await server.jobs.outcome(jobId, { signal });
    const isRidOf = async () => {
      await on.db.updateTable('runs_runs').set({ owner: 'other' }).where('id', '=', 'run_first').execute();
      return true;
    };
    const engine = { on, worker: { ...worker, isRidOf }, liveCalls: new Map() } as unknown as JobsEngine;
    await expect(startJob(engine, call)).rejects.toMatchObject({ code: 'NEXUS_CANCELLED' });
    const left = on.db.selectFrom('runs_runs').select(['status', 'epoch']).where('id', '=', jobId);
    expect(await left.executeTakeFirst()).toEqual({ status: 'failed', epoch: 1 });
  });
});
