import { randomUUID } from 'node:crypto';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { killWhile, MAY_NOTE, MOMENTS, nameOf } from '../harness/expert-kill.ts';
import { rowsOfNext } from '../harness/postgres-record.ts';
import type { SharedProject } from '../harness/shared-project.ts';
import { reportTakeOvers } from '../harness/take-overs.ts';
import { checkOut } from '../harness/team.ts';

const moments = MOMENTS.map((moment) => ({ moment, name: nameOf(moment) }));
const binaries = findPostgres();

describe.skipIf(!binaries)('orchestrations on Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());
  const tookMs: number[] = [];
  afterAll(() => reportTakeOvers('another machine', tookMs));

  it.each(moments)('go on at another machine after a kill while $name', async ({ moment }) => {
    const databaseUrl = await postgres.createSchema();
    const remote = `git@host.example:acme/${randomUUID()}.git`;
    const read = await rowsOfNext(postgres);
    let other: SharedProject | undefined;
    try {
      const took = await killWhile({
        moment,
        isBridge: true,
        project: ({ env }) => checkOut({ remote, databaseUrl, config: MAY_NOTE, env }),
        async next({ env, dataDir }) {
          // What its tools write shows in one place.
          other = await checkOut({
            remote,
            databaseUrl,
            config: MAY_NOTE,
            env: { ...env, NEXUS_DATA_DIR: dataDir },
          });
          return other.host();
        },
        read: () => read,
        ask: ({ session }, runId) => session.call('resume_run', { runId }),
      });
      tookMs.push(took);
    } finally {
      await other?.[Symbol.asyncDispose]();
    }
  });
});
