import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type KillInput, killWhile, MAY_NOTE, MOMENTS, nameOf } from '../harness/expert-kill.ts';
import { rowsOfNext } from '../harness/postgres-record.ts';
import { rowsOf } from '../harness/run-record.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { checkOut } from '../harness/team.ts';

/** From a server's death to what the next one asks of a model first; a busy machine says nothing of it. */
const TAKE_OVER_MS = 2_000;
const isIdle = () => (loadavg()[0] ?? 0) < availableParallelism();

const moments = MOMENTS.map((moment) => ({ moment, name: nameOf(moment) }));
const resumed: KillInput['ask'] = ({ session }, runId) =>
  session.call('orchestrate', { task: 'x', resume: runId });

describe('orchestrations on SQLite', () => {
  const onSqlite: Omit<KillInput, 'moment' | 'isBridge'> = {
    project: ({ env }) => shareProject({ slowPlugin: true, config: MAY_NOTE, env }),
    read: rowsOf,
    next: (project) => project.host(),
    ask: resumed,
  };
  const tookMs: number[] = [];
  afterAll(() => report('a bridge', tookMs));

  it.each(moments)('go on at a bridge after a kill while $name', async ({ moment }) => {
    tookMs.push(await killWhile({ ...onSqlite, moment, isBridge: true }));
  });

  it.each(moments)('go on at a server that is started then, after a kill while $name', async ({ moment }) => {
    await killWhile({ ...onSqlite, moment, isBridge: false });
  });
});

const binaries = findPostgres();

describe.skipIf(!binaries)('orchestrations on Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());
  const tookMs: number[] = [];
  afterAll(() => report('another machine', tookMs));

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
        ask: resumed,
      });
      tookMs.push(took);
    } finally {
      await other?.[Symbol.asyncDispose]();
    }
  });
});

function report(who: string, tookMs: readonly number[]): void {
  const sorted = [...tookMs].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const most = sorted.at(-1) ?? 0;
  console.log(`${who} goes on after ${median.toFixed(0)} ms at the median, ${most.toFixed(0)} ms at most`);
  if (most >= TAKE_OVER_MS && isIdle()) throw new Error(`a take-over took ${most.toFixed(0)} ms`);
}
