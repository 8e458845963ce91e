import { ERROR_META_KEY, ProtocolError, toErrorResult } from '@nexus/core';
import { type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import { databasesByTurns } from '../../test/engine-under-test.ts';
import { loseAnswers } from '../../test/lose-answers.ts';
import { heldWork, result, startServer, work } from '../../test/server-under-test.ts';

const { signal } = new AbortController();
const code = ({ _meta }: ToolCallResult) => (_meta?.[ERROR_META_KEY] as { code: string } | undefined)?.code;
const failed = (text: string) => {
  const made = toErrorResult(new ToolError('NEXUS_CONFLICT', text));
  if (!made) throw new Error('no result');
  return made;
};

describe.each(databasesByTurns)('jobs on $name', ({ place }) => {
  it('are on record before they answer, and keep their whole result', async () => {
    await using data = place();
    await using server = startServer(data);
    const { job, end } = heldWork();
    const started = await server.jobs.start(job);
    expect(started).toMatchObject({ isNew: true, job: { tool: job.tool, status: 'working' } });
    const { jobId } = started.job;
    expect(jobId).toMatch(/^job_[0-9a-f]{32}$/);
    const { updatedAt: _, ...asStarted } = started.job;
    expect(await server.jobs.wait(jobId, { waitMs: 0, signal })).toMatchObject(asStarted);
    end('the end');
    expect(await server.jobs.outcome(jobId, { signal })).toEqual(result('the end'));
    expect(await server.jobs.wait(jobId, { waitMs: 0, signal })).toMatchObject({
      status: 'completed',
      result: result('the end'),
    });
  });

  it('are known to another server, which waits for their end', async () => {
    await using data = place();
    await using one = startServer(data);
    await using other = startServer(data);
    const { job, end } = heldWork();
    const { jobId } = (await one.jobs.start(job)).job;
    const outcome = other.jobs.outcome(jobId, { signal });
    end('there');
    expect(await outcome).toEqual(result('there'));
  });

  it('that may be made twice are made again where the store was away', async () => {
    await using data = place();
    await using server = startServer(data);
    const run = vi
      .fn<() => Promise<ToolCallResult>>()
      .mockImplementationOnce(async () => {
        const made = toErrorResult(new ToolError('NEXUS_STORE_UNAVAILABLE', 'The connection broke.'));
        return made ?? expect.unreachable();
      })
      .mockImplementation(async () => result('done'));
    const { jobId } = (await server.jobs.start(work({ mayRunTwice: true, run }))).job;
    expect(await server.jobs.outcome(jobId, { signal })).toEqual(result('done'));
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('that fail keep the error as it left: a result, or a JSON-RPC error', async () => {
    await using data = place();
    await using server = startServer(data);
    const refused = await server.jobs.start(work({ run: async () => failed('no way') }));
    expect(await server.jobs.outcome(refused.job.jobId, { signal })).toEqual(failed('no way'));
    expect(await server.jobs.wait(refused.job.jobId, { waitMs: 0, signal })).toMatchObject({
      status: 'failed',
      statusMessage: 'no way',
    });
    const broken = await server.jobs.start(
      work({ run: () => Promise.reject(new ProtocolError(-32603, 'broken', { correlationId: 'c' })) }),
    );
    await expect(server.jobs.outcome(broken.job.jobId, { signal })).rejects.toMatchObject({
      code: -32603,
      message: 'broken',
      data: { correlationId: 'c' },
    });
  });

  it('end when they are cancelled, from another server too, and stay cancelled', async () => {
    await using data = place();
    await using one = startServer(data);
    await using other = startServer(data);
    const { job, end } = heldWork();
    const { jobId } = (await one.jobs.start(job)).job;
    expect(await other.jobs.cancel(jobId)).toMatchObject({ status: 'cancelled' });
    end('too late');
    expect(code(await one.jobs.outcome(jobId, { signal }))).toBe('NEXUS_CANCELLED');
    expect(await one.jobs.cancel(jobId)).toMatchObject({ status: 'cancelled' });
  });

  it('pass on what they report to whoever waits', async () => {
    await using data = place();
    await using server = startServer(data);
    const heard: unknown[] = [];
    let report = (_message: string) => {};
    let end = (_result: ToolCallResult) => {};
    const { jobId } = (
      await server.jobs.start(
        work({
          run({ progress }) {
            report = (message) => progress({ progress: 1, message });
            return new Promise((resolve) => {
              end = resolve;
            });
          },
        }),
      )
    ).job;
    const outcome = server.jobs.outcome(jobId, { signal, progress: ({ message }) => heard.push(message) });
    await vi.waitFor(() => {
      report('half way');
      expect(heard).not.toEqual([]);
    });
    end(result('whole'));
    await outcome;
    expect(new Set(heard)).toEqual(new Set(['half way']));
  });

  it('are listed newest first: all, and page by page those of a session', async () => {
    await using data = place();
    await using server = startServer(data);
    const { tool } = work();
    const sessionId = `of ${tool}`;
    const ids: string[] = [];
    for (let count = 0; count < 52; count += 1) {
      ids.unshift((await server.jobs.start(work({ tool, sessionId }))).job.jobId);
    }
    const other = await server.jobs.start(work({ tool }));
    const listed = await server.jobs.list({ tool, limit: 3 });
    expect(listed.total).toBe(53);
    expect(listed.jobs).toHaveLength(3);
    expect(listed.jobs.map(({ jobId }) => jobId)).toContain(other.job.jobId);
    const pages = [];
    for (const offset of [0, 20, 40]) pages.push(await server.jobs.list({ tool, limit: 20, offset }));
    expect(pages.map(({ jobs, total }) => [jobs.length, total])).toEqual([
      [20, 53],
      [20, 53],
      [13, 53],
    ]);
    expect(new Set(pages.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId))).size).toBe(53);
    const first = await server.jobs.page(sessionId);
    const second = await server.jobs.page(sessionId, first.nextCursor);
    expect([first.jobs.length, second.jobs.length, second.nextCursor]).toEqual([50, 2, undefined]);
    expect(new Set([...first.jobs, ...second.jobs].map(({ jobId }) => jobId))).toEqual(new Set(ids));
    await expect(server.jobs.page(sessionId, 'nonsense')).rejects.toMatchObject({ code: -32602 });
  });

  it.each([
    ['few', 3],
    ['many', 203],
  ])('of one status are listed page by page, too, all of %s', async (_, count) => {
    await using data = place();
    await using server = startServer(data);
    const { tool } = work();
    const held = Array.from({ length: count }, () => heldWork());
    const ids = [];
    for (const { job } of held) ids.unshift((await server.jobs.start({ ...job, tool })).job.jobId);
    const listed = [];
    const limit = Math.floor(count / 3) + 1;
    for (const offset of [0, limit, 2 * limit]) {
      const { jobs, total } = await server.jobs.list({ tool, status: 'working', limit, offset });
      expect(total).toBe(count);
      listed.push(...jobs.map(({ jobId }) => jobId));
    }
    expect(new Set(listed)).toEqual(new Set(ids));
    for (const { end } of held) end('whole');
  });

  it('are forgotten when their time on record is over, unless they work', async () => {
    await using data = place();
    await using server = startServer(data);
    const { jobId } = (await server.jobs.start(work({ ttlMs: 1 }))).job;
    await server.jobs.outcome(jobId, { signal });
    const held = heldWork();
    const working = (await server.jobs.start(held.job)).job.jobId;
    data.ahead(61_000);
    await expect(server.jobs.wait(jobId, { waitMs: 0, signal })).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
    });
    expect(await server.jobs.wait(working, { waitMs: 0, signal })).toMatchObject({ status: 'working' });
    held.end('done');
  });

  describe('with an idempotency key', () => {
    it('run once: the same call gets the first’s answer, before and after its end', async () => {
      await using data = place();
      await using one = startServer(data);
      await using other = startServer(data);
      const { job, end } = heldWork({ idempotencyKey: 'k' });
      const run = vi.fn(job.run);
      const first = await one.jobs.start({ ...job, run });
      const same = { ...job, run, arguments: { b: ['x'], a: 1 } };
      const second = await other.jobs.start(same);
      expect(second).toMatchObject({ isNew: false, job: { jobId: first.job.jobId } });
      end('once');
      expect(await other.jobs.outcome(second.job.jobId, { signal })).toEqual(result('once'));
      expect(await other.jobs.start(same)).toMatchObject({ isNew: false, job: { status: 'completed' } });
      expect(run).toHaveBeenCalledOnce();
    });

    it('run once when many come at the same time', async () => {
      await using data = place();
      await using one = startServer(data);
      await using other = startServer(data);
      const run = vi.fn(async () => result('one'));
      const job = work({ idempotencyKey: 'race', run });
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 ? one : other).jobs.start(job)),
      );
      expect(new Set(all.map((each) => each.job.jobId)).size).toBe(1);
      expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
      await Promise.all(all.map(({ job: { jobId } }) => one.jobs.outcome(jobId, { signal })));
      expect(run).toHaveBeenCalledOnce();
    });

    it('are a conflict with other arguments, and nothing to another tool', async () => {
      await using data = place();
      await using server = startServer(data);
      const job = work({ idempotencyKey: 'k' });
      await server.jobs.start(job);
      await expect(server.jobs.start({ ...job, arguments: { a: 2 } })).rejects.toMatchObject({
        code: 'NEXUS_CONFLICT',
        message: expect.stringContaining('"k"'),
      });
      expect(await server.jobs.start(work({ idempotencyKey: 'k' }))).toMatchObject({ isNew: true });
    });

    it('are taken up once where the answer to that is lost', async () => {
      await using data = place();
      await using server = startServer(data);
      const { job } = heldWork({ idempotencyKey: 'k' });
      const { jobId } = (await server.jobs.start(job)).job;
      await server.jobs.cancel(jobId);
      loseAnswers((await server.open()).on, (count) => count % 2 === 1);
      const again = { ...job, run: async () => result('again') };
      expect(await server.jobs.start(again)).toMatchObject({ isNew: true, job: { jobId } });
      expect(await server.jobs.outcome(jobId, { signal })).toEqual(result('again'));
    });

    it.each([
      ['run again after their budget was spent: it may have been raised', true],
      ['answer that their budget was spent for good where twice could do harm', false],
    ])('%s', async (_, mayRunTwice) => {
      await using data = place();
      await using server = startServer(data);
      const spent = toErrorResult(new ToolError('NEXUS_BUDGET_EXCEEDED', 'The cap is reached.'));
      const run = vi.fn(async () => result('now')).mockResolvedValueOnce(spent as ToolCallResult);
      const job = work({ idempotencyKey: 'k', mayRunTwice, run });
      const { jobId } = (await server.jobs.start(job)).job;
      expect(code(await server.jobs.outcome(jobId, { signal }))).toBe('NEXUS_BUDGET_EXCEEDED');
      expect(await server.jobs.start(job)).toMatchObject({ isNew: mayRunTwice, job: { jobId } });
      await server.jobs.outcome(jobId, { signal });
      expect(run).toHaveBeenCalledTimes(mayRunTwice ? 2 : 1);
    });

    it('run again under the same id after they were cancelled', async () => {
      await using data = place();
      await using server = startServer(data);
      const { job } = heldWork({ idempotencyKey: 'k' });
      const { jobId } = (await server.jobs.start(job)).job;
      await server.jobs.cancel(jobId);
      const again = await server.jobs.start({ ...job, run: async () => result('now') });
      expect(again).toMatchObject({ isNew: true, job: { jobId, status: 'working' } });
      expect(await server.jobs.outcome(jobId, { signal })).toEqual(result('now'));
    });
  });
});
