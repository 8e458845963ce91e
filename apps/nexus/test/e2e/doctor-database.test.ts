import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { isSlowStep, slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('command.doctor', 'says that another process holds the database, and which', async () => {
  await using project = await makeProject();
  const store = createStore({ projectId: 'any', dataDir: project.dataDir });
  const db = await store.open('any', []);
  await db.transaction().execute(async () => {
    const { exitCode, stdout } = await runNexus(project, ['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^FAIL +Data directory: .*nexus\.sqlite stayed locked by another process for 3 s/m,
    );
    if (process.platform === 'linux') expect(stdout).toContain(`it is held by process ${process.pid} (`);
  });
  await store.close();
  expect((await runNexus(project, ['doctor'])).exitCode).toBe(0);
});

if (process.platform !== 'win32')
  verifiesApp(
    'store.lost',
    'says so to its clients, refuses what would be lost, and fails the doctor',
    async () => {
      const looks = "name: looks\ndescription: Looks.\nsteps:\n  - { id: a, uses: 'tool:list_files' }\n";
      await using project = await makeProject({ files: { '.nexus/workflows/looks.yaml': looks } });
      await using server = startServer(project);
      const { session } = server;
      await session.initialize();
      const write = (key: string) => session.call('memory_write', { backend: 'session', key, value: 'kept' });
      expect((await write('before')).result.isError).toBeFalsy();
      const base = join(project.dataDir, 'nexus.sqlite');
      for (const part of ['', '-wal', '-shm']) rmSync(base + part);
      const saying = expect.stringMatching(/nexus\.sqlite is lost: .*removed.*`nexus stop`/);
      await expect
        .poll(() => session.received.filter(({ method }) => method === 'notifications/message'), {
          timeout: 5_000,
        })
        .toEqual([
          expect.objectContaining({ params: { level: 'error', logger: 'nexus', data: { message: saying } } }),
        ]);
      for (const [tool, args] of [
        ['memory_write', { backend: 'session', key: 'after', value: 'lost' }],
        ['run_workflow', { template: 'looks', dispatch: 'async' }],
      ] as const) {
        const since = performance.now();
        const { result } = await session.call(tool, args);
        expect(result.isError, tool).toBe(true);
        expect(result.content[0].text).toEqual(saying);
        expect(performance.now() - since).toBeLessThan(20_000);
      }
      expect((await runNexus(project, ['status'])).stdout).toMatch(/nexus\.sqlite is lost/);
      const { exitCode, stdout } = await runNexus(project, ['doctor']);
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^FAIL +Data directory: .*nexus\.sqlite is lost[\s\S]*run `nexus stop`/m);
      await runNexus(project, ['stop']);
      expect((await runNexus(project, ['doctor'])).stdout).not.toMatch(/is lost/);
    },
  );

/** Root may write whatever the mode is. */
function makeReadOnly(file: string): void {
  chmodSync(file, 0o444);
  if (process.getuid?.() === 0) execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
}

if (process.platform !== 'win32')
  slowlyVerifiesApp('command.doctor', 'says that the database is a file that can only be read', async () => {
    await using project = await makeProject();
    expect((await runNexus(project, ['doctor'])).exitCode).toBe(0);
    const file = join(project.dataDir, 'nexus.sqlite');
    try {
      makeReadOnly(file);
    } catch {
      console.warn('No file can be made unchangeable here (chattr): a read-only database is not tried.');
      return;
    }
    const { exitCode, stdout } = await runNexus(project, ['doctor']).finally(() => {
      if (process.getuid?.() === 0) execFileSync('chattr', ['-i', file]);
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^FAIL +Data directory: The database .*nexus\.sqlite can’t be opened: no permission\. Make the file .* writable/m,
    );
  });

const binaries = findPostgres();

describe.skipIf(!binaries || !isSlowStep)('on Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());

  slowlyVerifiesApp('command.doctor', 'says that the database takes no write', async () => {
    const NEXUS_DATABASE_URL = await postgres.createSchema();
    await using project = await makeProject({ env: { NEXUS_DATABASE_URL } });
    const readOnly = new URL(NEXUS_DATABASE_URL);
    const options = `${readOnly.searchParams.get('options') ?? ''} -c default_transaction_read_only=on`;
    readOnly.searchParams.set('options', options.trim());
    const there = { ...project, env: { ...project.env, NEXUS_DATABASE_URL: readOnly.href } };
    // Before there is a table, and after.
    for (const before of [1, 0]) {
      const { exitCode, stdout } = await runNexus(there, ['doctor']);
      expect(exitCode, stdout).toBe(1);
      expect(stdout).toMatch(
        /^FAIL +Data directory: Postgres at .* only reads\. .*default_transaction_read_only/m,
      );
      if (before) expect((await runNexus(project, ['doctor'])).exitCode).toBe(0);
    }
  });
});
