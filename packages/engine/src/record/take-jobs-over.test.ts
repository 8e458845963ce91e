import { ERROR_META_KEY } from '@nexus/core';
import type { Migration } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { describe, expect, it } from 'vitest';
import { databases } from '../../test/engine-under-test.ts';
import { result, startServer } from '../../test/server-under-test.ts';

const { signal } = new AbortController();

/** As it was made before jobs were runs. */
const former: Migration = {
  name: '0001-jobs',
  async up(db) {
    await db.schema
      .createTable('jobs_jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('arguments', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('idempotency_key', 'text')
      .addColumn('may_run_twice', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('status_message', 'text')
      .addColumn('ending', 'text')
      .addColumn('server_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

const id = (digit: number) => `job_${String(digit).repeat(32)}`;

function job(digit: number, columns: object) {
  const now = Date.now();
  return {
    id: id(digit),
    tool: 'build',
    arguments: '{"level":1}',
    session_id: 's',
    idempotency_key: null,
    may_run_twice: 1,
    status: 'working',
    status_message: null,
    ending: null,
    server_id: 'gone',
    // Far enough apart, however long it takes to make them.
    created_at: now - digit * 60_000,
    updated_at: now,
    expires_at: now + 3_600_000,
    ...columns,
  };
}

describe.each(databases)('jobs of the version before, on $name', ({ place }) => {
  it('are found, finished or not, under their ids and keys', async () => {
    await using data = place();
    const before = createStore(data.location);
    const db = await before.open<{ jobs_jobs: ReturnType<typeof job> }>('jobs', [former]);
    const done = { result: { content: [{ type: 'text', text: 'x'.repeat(20_000) }] } };
    await db
      .insertInto('jobs_jobs')
      .values([
        job(1, { status: 'completed', ending: JSON.stringify(done), idempotency_key: 'k' }),
        job(2, {
          status: 'cancelled',
          status_message: 'cancelled',
          ending: '{"error":{"code":1,"message":"m"}}',
        }),
        job(3, {}),
        job(4, { may_run_twice: 0 }),
      ])
      .execute();
    await before.close();
    await using server = startServer(data);
    expect(await server.jobs.outcome(id(1), { signal })).toEqual(done.result);
    expect(await server.jobs.wait(id(2), { waitMs: 0, signal })).toMatchObject({
      status: 'cancelled',
      statusMessage: 'cancelled',
    });
    // Whoever waits for it sees to it: it may be over by the time that it is read.
    const open = await server.jobs.wait(id(3), { waitMs: 0, signal });
    expect(['queued', 'working', 'completed']).toContain(open.status);
    const again = { tool: 'build', arguments: { level: 1 }, sessionId: 's', mayRunTwice: true };
    const keyed = await server.jobs.start({ ...again, idempotencyKey: 'k', run: async () => result('no') });
    expect(keyed).toMatchObject({ isNew: false, job: { jobId: id(1) } });
    await server.adopt();
    expect(await server.jobs.outcome(id(3), { signal })).toEqual(result('again'));
    expect(await server.jobs.outcome(id(4), { signal })).toMatchObject({
      _meta: { [ERROR_META_KEY]: { code: 'NEXUS_OUTCOME_UNKNOWN' } },
    });
    expect((await server.jobs.page('s')).jobs.map(({ jobId }) => jobId)).toEqual([
      id(1),
      id(2),
      id(3),
      id(4),
    ]);
  });
});
