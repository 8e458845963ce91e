import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { rowsOfNext } from '../harness/postgres-record.ts';
import { isSlowStep, slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';
import { killWorkflow, SUBJECTS, type Subject } from '../harness/workflow-kill.ts';

const subjects = Object.keys(SUBJECTS) as Subject[];
/** What every check kills, by a bridge's take-over and by a server's. */
const KILLED_IN_EVERY_CHECK: Readonly<Record<number, Subject>> = { 2: 'a workflow in a graph', 3: 'a graph' };
// By turns, since each is a take-over of its own.
const isByBridge = (at: number) => at % 2 === 0;
const who = (at: number) => (isByBridge(at) ? 'a bridge' : 'the next server');

for (const [at, subject] of Object.entries(KILLED_IN_EVERY_CHECK).map(
  ([at, subject]) => [Number(at), subject] as const,
)) {
  verifiesApp('workflows.kill', `${who(at)} goes on with ${subject} after model call ${at}`, () =>
    killWorkflow({ subject, at, isBridge: isByBridge(at) }),
  );
}

for (const subject of subjects) {
  for (const at of SUBJECTS[subject].moments.filter((at) => KILLED_IN_EVERY_CHECK[at] !== subject)) {
    slowlyVerifiesApp('workflows.kill', `${who(at)} goes on with ${subject} after model call ${at}`, () =>
      killWorkflow({ subject, at, isBridge: isByBridge(at) }),
    );
  }
}

const binaries = findPostgres();
if (!binaries)
  console.warn('No Postgres on this machine (initdb, postgres): workflows are killed on SQLite alone.');

describe.skipIf(!binaries || !isSlowStep)('on Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());

  for (const subject of subjects) {
    for (const at of [2, 3]) {
      slowlyVerifiesApp(
        'workflows.kill',
        `${who(at)} goes on with ${subject} after model call ${at}`,
        async () =>
          killWorkflow({
            subject,
            at,
            isBridge: isByBridge(at),
            shared: { databaseUrl: await postgres.createSchema(), read: await rowsOfNext(postgres) },
          }),
      );
    }
  }
});
