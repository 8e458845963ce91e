import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { runNexus } from '../harness/run-nexus.ts';
import { checkOut } from '../harness/team.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const binaries = findPostgres();

describe.skipIf(!binaries)('Postgres that is away from a server that commands ask', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());

  slowlyVerifiesApp(
    'store.connection',
    'is told of by commands, which wait for it and call no server stopped that answers',
    async () => {
      await using project = await checkOut({
        remote: 'git@host.example:acme/away.git',
        databaseUrl: await postgres.createSchema(),
      });
      const { session } = await project.host();
      const { result } = await session.call('slow_job_once', { note: 'n', ms: 10, idempotencyKey: 'once' });
      expect(result.isError).toBeUndefined();
      const well = JSON.parse((await runNexus(project, ['status', '--json'])).stdout);
      expect(well).toMatchObject({ isStoreAway: false, owner: { pid: expect.any(Number) } });
      await postgres.shutDown();
      const runs = runNexus(project, ['runs', '--json']);
      const status = await runNexus(project, ['status']);
      expect(status.exitCode, status.stderr).toBe(0);
      expect(status.stdout).toContain(`process ${well.owner.pid}`);
      expect(status.stdout).toContain('Its database does not answer now');
      // Longer than a server that hangs is waited for: this one does not.
      await sleep(35_000);
      await postgres.restart();
      const { exitCode, stdout, stderr } = await runs;
      expect(exitCode, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ total: expect.any(Number) });
      expect(stderr.trim()).toBe(
        `The running server, process ${well.owner.pid}, is well and waits for its database, which does not answer; \`nexus doctor\` says why.`,
      );
    },
    120_000,
  );
});
