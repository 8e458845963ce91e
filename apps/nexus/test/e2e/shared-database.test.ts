import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { testDir } from '../harness/app.ts';
import { runNexus } from '../harness/run-nexus.ts';
import type { ServerProcess } from '../harness/server-process.ts';
import { checkOut } from '../harness/team.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

type Client = Awaited<ReturnType<PostgresServer['connect']>>;

const HOUR_MS = 3_600_000;
const shiftedClock = ['--import', pathToFileURL(join(testDir, 'fixtures/shifted-clock.mjs')).href];
const binaries = findPostgres();

describe.skipIf(!binaries)('on one Postgres', () => {
  let postgres: PostgresServer;
  let databaseUrl: string;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());
  beforeEach(async () => {
    databaseUrl = await postgres.createSchema();
  });

  const remote = (name: string) => `git@host.example:acme/${name}.git`;
  async function answer(
    { session }: ServerProcess,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
  ) {
    const { result } = await session.call(tool, args);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    return result.structuredContent;
  }
  async function admin(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = await postgres.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
  /** In no order: those of other tests' projects are on the same database. */
  async function schemasWithNotes(): Promise<string[]> {
    const client = await postgres.connect();
    try {
      const query = `select schemaname as schema from pg_tables where tablename = 'memory_entries'`;
      return (await client.query(query)).rows.map(({ schema }) => schema);
    } finally {
      await client.end();
    }
  }
  const terminate = (client: Client) =>
    client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'nexus\\_%'`,
    );

  verifiesApp('store.projects', 'two projects see nothing of each other', async () => {
    await using first = await checkOut({ remote: remote('first'), databaseUrl });
    await using second = await checkOut({ remote: remote('second'), databaseUrl });
    const [a, b] = [await first.host(), await second.host()];
    const note = { backend: 'typed', key: 'deploy', metadata: { type: 'note' } };
    const task = { title: 'work', payload: null, idempotencyKey: 'once' };
    const job = { note: 'keyed', ms: 10, idempotencyKey: 'once' };
    expect(await answer(a, 'memory_write', { ...note, value: 'of first' })).toMatchObject({
      outcome: 'created',
    });
    const { taskId } = await answer(a, 'submit_task', task);
    await answer(a, 'register_worker', { name: 'ann' });
    await answer(a, 'reserve_files', { worker: 'ann', globs: ['src/**'] });
    await answer(a, 'slow_job_once', job);

    expect(await answer(b, 'memory_query', { query: 'deploy' })).toMatchObject({ results: [] });
    expect(await answer(b, 'memory_write', { ...note, value: 'of second' })).toMatchObject({
      outcome: 'created',
    });
    expect((await answer(b, 'submit_task', task)).taskId).not.toBe(taskId);
    expect(await answer(b, 'list_jobs')).toMatchObject({ total: 0 });
    expect(await answer(b, 'bus_status')).toMatchObject({
      tasks: { queued: 1 },
      reservations: { total: 0 },
    });
    // Another call under the same key, which would be a conflict were the keys shared.
    await answer(b, 'slow_job_once', { ...job, note: 'other' });
    expect(await answer(a, 'memory_query', { query: 'deploy' })).toMatchObject({
      results: [{ value: 'of first' }],
    });
  });

  slowlyVerifiesApp('store.projects', 'one project on two machines sees itself', async () => {
    await using here = await checkOut({ remote: 'https://me:token@host.example/acme/app', databaseUrl });
    await using there = await checkOut({ remote: remote('app'), databaseUrl });
    const [a, b] = [await here.host(), await there.host()];
    await answer(a, 'memory_write', { backend: 'agentic', key: 'deploy', value: 'from here' });
    const { taskId } = await answer(a, 'submit_task', { title: 'work', payload: null });
    expect(await answer(b, 'memory_query', { query: 'deploy' })).toMatchObject({
      results: [{ value: 'from here' }],
    });
    const { task } = await answer(b, 'poll_task', { worker: 'ben', waitMs: 20_000 });
    expect(task).toMatchObject({ taskId });
    await answer(b, 'complete_task', { leaseId: task.leaseId, result: 'done there' });
    expect(await answer(a, 'task_status', { taskId })).toMatchObject({ detail: { result: 'done there' } });
    for (const project of [here, there]) {
      const { stdout } = await runNexus(project, ['status', '--json']);
      expect(JSON.parse(stdout).project).toEqual({ id: 'host.example/acme/app', from: 'remote' });
      expect((await runNexus(project, ['status'])).stdout).toContain('Project: host.example/acme/app (');
    }
  });

  slowlyVerifiesApp(
    'sharing.holds',
    'what a host holds stays with it on one machine, whoever looks for it from another',
    async () => {
      const bus = { config: { bus: { lookAgainMs: 100 } }, remote: remote('app'), databaseUrl };
      await using here = await checkOut(bus);
      await using there = await checkOut(bus);
      const [owner, stays] = [await here.host(), await here.host()];
      const other = await there.host();
      const take = async (host: ServerProcess, worker: string): Promise<string> => {
        await answer(host, 'submit_task', { title: worker, payload: null });
        const { task } = await answer(host, 'poll_task', { worker });
        return task.taskId;
      };
      const [gone, kept] = [await take(owner, 'gone'), await take(stays, 'kept')];
      owner.child.kill('SIGKILL');
      await owner.exit();
      const next = async () => {
        for (;;) {
          const { task } = await answer(other, 'poll_task', { worker: 'next', waitMs: 5_000 });
          if (task) return task.taskId;
        }
      };
      expect(await next()).toBe(gone);
      expect(await answer(other, 'poll_task', { worker: 'next', waitMs: 3_000 })).toMatchObject({
        task: null,
      });
      // Nothing but its end calls its server.
      await stays[Symbol.asyncDispose]();
      expect(await next()).toBe(kept);
    },
  );

  slowlyVerifiesApp('store.projects', 'a config that nobody trusted names no other project', async () => {
    await using first = await checkOut({ remote: remote('first'), databaseUrl });
    await using second = await checkOut({
      remote: remote('second'),
      databaseUrl,
      config: { project: { id: 'host.example/acme/first' } },
      env: { NEXUS_TRUST: '' },
    });
    const [a, b] = [await first.host(), await second.host()];
    await answer(a, 'memory_write', { backend: 'agentic', key: 'deploy', value: 'of first' });
    expect(await answer(b, 'memory_query', { query: 'deploy' })).toMatchObject({ results: [] });
    expect((await runNexus(second, ['project'])).stdout).toContain('host.example/acme/second');
    await b[Symbol.asyncDispose]();
    await runNexus(second, ['trust', '--yes']);
    expect((await runNexus(second, ['project'])).stdout).toContain('host.example/acme/first');
  });

  slowlyVerifiesApp(
    'store.projects',
    'a repository that says it is another project is not believed unasked',
    async () => {
      await using first = await checkOut({ remote: remote('first'), databaseUrl });
      await using forged = await checkOut({
        remote: remote('first'),
        databaseUrl,
        env: { NEXUS_TRUST: '' },
      });
      const a = await first.host();
      await answer(a, 'memory_write', { backend: 'agentic', key: 'deploy', value: 'of first' });
      const waits = 'project: host.example/acme/first';
      {
        await using b = await forged.host();
        expect(JSON.stringify(b.session.received)).toContain(waits); // the instructions
        expect(await answer(b, 'memory_query', { query: 'deploy' })).toMatchObject({ results: [] });
        await answer(b, 'memory_write', { backend: 'agentic', key: 'deploy', value: 'forged' });
        expect((await runNexus(forged, ['status'])).stdout).toContain('Project: made-');
      }
      expect((await runNexus(forged, ['doctor'])).stdout).toContain(waits);
      expect((await runNexus(forged, ['project'])).stdout).toMatch(
        /^made-[\s\S]*says that it is host.example/,
      );
      expect(await answer(a, 'memory_query', { query: 'deploy' })).toMatchObject({
        results: [{ value: 'of first' }],
      });
      // The environment is the user's own word, and needs no other.
      const named = { ...forged.env, NEXUS_PROJECT_ID: 'host.example/acme/first' };
      expect((await runNexus({ ...forged, env: named }, ['project'])).stdout).toContain(
        'from NEXUS_PROJECT_ID',
      );
      // Theirs after all: one yes, and it is kept.
      expect((await runNexus(forged, ['trust', '--yes'])).stdout).toContain(
        'is project host.example/acme/first',
      );
      expect((await runNexus(forged, ['trust'])).stdout).not.toContain('host.example');
      await using b = await forged.host();
      expect(await answer(b, 'memory_query', { query: 'deploy' })).toMatchObject({
        results: [{ value: 'of first' }],
      });
      await b[Symbol.asyncDispose]();
      await runNexus(forged, ['trust', '--revoke']);
      expect((await runNexus(forged, ['project'])).stdout).toMatch(/^made-/);
    },
  );

  slowlyVerifiesApp('store.projects', 'what was written before the user’s word goes along', async () => {
    await using project = await checkOut({ remote: remote('new'), databaseUrl, env: { NEXUS_TRUST: '' } });
    {
      await using early = await project.host();
      await answer(early, 'memory_write', { backend: 'agentic', key: 'deploy', value: 'early' });
    }
    await runNexus(project, ['trust', '--yes']);
    await using later = await project.host();
    expect(await answer(later, 'memory_query', { query: 'deploy' })).toMatchObject({
      results: [{ value: 'early' }],
    });
    expect((await runNexus(project, ['project'])).stdout).toContain('host.example/acme/new');
  });

  slowlyVerifiesApp(
    'store.projects',
    'rows from before are taken over by a person’s word alone',
    async () => {
      await using project = await checkOut({ remote: remote('app'), databaseUrl });
      await admin(async (client) => {
        const schema = new URL(databaseUrl).searchParams.get('options')?.split('=')[1];
        await client.query(`set search_path = ${schema}`);
        await client.query('create table nexus_migrations (plugin text, name text, applied_at bigint)');
        await client.query(`insert into nexus_migrations values ('notes', '0001-notes', 0)`);
        await client.query(`create table notes_entries as select 'from before' as text`);
      });
      const owner = await project.host();
      await answer(owner, 'memory_query', { query: 'deploy' });
      expect(owner.stderr()).toContain('nexus project take-over');
      expect((await runNexus(project, ['doctor'])).stdout).toContain('nexus project take-over');
      expect((await runNexus(project, ['project', 'take-over'])).stderr).toContain('nexus stop');
      await owner[Symbol.asyncDispose]();
      expect((await runNexus(project, ['project'])).stdout).toContain('1 in notes_entries');
      expect(await runNexus(project, ['project', 'take-over'])).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('host.example/acme/app’s now: 1 in notes_entries'),
      });
      expect((await runNexus(project, ['doctor'])).stdout).not.toContain('take-over');
    },
  );

  verifiesApp(
    'store.clock',
    'a machine whose clock is wrong takes no lease and forgets nothing',
    async () => {
      await using here = await checkOut({ remote: remote('app'), databaseUrl });
      await using there = await checkOut({
        remote: remote('app'),
        databaseUrl,
        env: { NEXUS_TEST_CLOCK_MS: String(48 * HOUR_MS) },
      });
      const a = await here.host();
      const b = await there.host({ nodeArgs: shiftedClock });
      await answer(a, 'memory_write', { backend: 'session', key: 'deploy', value: 'a note for a day' });
      await answer(a, 'submit_task', { title: 'work', payload: null, timeoutMs: HOUR_MS });
      const { task } = await answer(a, 'poll_task', { worker: 'ann' });
      await answer(a, 'reserve_files', { worker: 'ann', globs: ['src/**'], ttlMs: HOUR_MS });

      expect(await answer(b, 'poll_task', { worker: 'ben' })).toMatchObject({ task: null });
      expect(await answer(b, 'bus_status')).toMatchObject({
        tasks: { leased: 1, expired: 0 },
        reservations: { total: 1 },
      });
      expect(await answer(b, 'memory_query', { query: 'deploy' })).toMatchObject({ count: 1 });
      // And what it writes itself is of the database's time: its lease is not from the day after tomorrow.
      await answer(b, 'submit_task', { title: 'more', payload: null, timeoutMs: HOUR_MS });
      const theirs = await answer(b, 'poll_task', { worker: 'ben' });
      expect(Date.parse(theirs.task.leaseExpiresAt) - Date.parse(task.leaseExpiresAt)).toBeLessThan(
        24 * HOUR_MS,
      );
      await answer(a, 'complete_task', { leaseId: task.leaseId, result: null });
    },
  );

  slowlyVerifiesApp(
    'store.connection',
    'connections that break cost the calls in flight a retryable error',
    async () => {
      await using project = await checkOut({ remote: remote('app'), databaseUrl });
      const owner = await project.host();
      const write = (value: string) =>
        owner.session.call('memory_write', { backend: 'agentic', key: 'deploy', value });
      // Answered in a later turn than the one in which the server hears that its connections broke.
      const settled = async () => {
        for (let turn = 0; turn < 2; turn += 1) await owner.session.ask('ping');
      };
      const earlier = await schemasWithNotes();
      await write('before');
      const [schema] = (await schemasWithNotes()).filter((name) => !earlier.includes(name));
      await admin(async (client) => {
        await client.query('begin');
        await client.query(`lock table ${schema}.memory_entries`);
        const waiting = write('in flight');
        await vi.waitFor(
          async () => {
            const { rowCount } = await client.query(
              `select 1 from pg_stat_activity where application_name like 'nexus\\_%' and wait_event_type = 'Lock'`,
            );
            expect(rowCount).toBe(1);
          },
          { timeout: 20_000 },
        );
        await terminate(client);
        expect((await waiting).result).toMatchObject({
          isError: true,
          _meta: { 'nexus/error': { code: 'NEXUS_STORE_UNAVAILABLE', retryable: true } },
        });
        await client.query('rollback');
      });
      await settled();
      expect((await write('after')).result.isError).toBeUndefined();
      await admin(terminate); // none of them in use
      await settled();
      expect((await write('again')).result.isError).toBeUndefined();
      expect(await project.owner()).toBe(owner);
    },
  );

  verifiesApp('store.connection', 'a server outlives a restart of the database', async () => {
    await using project = await checkOut({ remote: remote('app'), databaseUrl });
    const owner = await project.host();
    const query = () => owner.session.call('memory_query', { query: 'deploy' });
    await answer(owner, 'memory_write', { backend: 'agentic', key: 'deploy', value: 'kept' });
    await postgres.crash();
    expect((await query()).result).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_STORE_UNAVAILABLE', retryable: true } },
    });
    await postgres.restart();
    expect((await query()).result.structuredContent).toMatchObject({ results: [{ value: 'kept' }] });
    expect(await project.owner()).toBe(owner);
  });
});
