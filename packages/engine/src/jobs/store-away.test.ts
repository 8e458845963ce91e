import { type Store, ToolError } from '@nexus/plugin-sdk';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Ground, machine } from '../ground.ts';
import { openDoor } from '../record/door.ts';
import type { RunTables } from '../record/tables.ts';
import { createTelling } from '../record/told.ts';
import type { Changes } from '../worker/changes.ts';
import type { Worker } from '../worker/worker.ts';
import { jobsOf } from './jobs.ts';

/** The least time that a tool has by default. */
const CALL_MS = 60_000;

/** On a store that never answers, and a clock that goes on as it is waited for. */
function jobsWithoutStore() {
  let nowMs = 0;
  const ground: Ground = {
    ...machine,
    now: () => nowMs,
    after(ms, call) {
      nowMs += ms;
      return setImmediate(call);
    },
    clear: () => {},
  };
  class Away extends DummyDriver {
    override acquireConnection(): Promise<never> {
      return Promise.reject(new ToolError('NEXUS_STORE_UNAVAILABLE', 'The store is away.'));
    }
  }
  const tables = new Kysely<RunTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new Away(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const home = { machine: '', isBound: () => false, lacks: () => undefined };
  const store = { now: sql<number>`0` } as unknown as Store; // all that is read of it
  const on = openDoor({ store, tables, ground, home });
  const worker = { isAtWork: () => false } as unknown as Worker; // nothing else is asked of it
  const changes = { onChange: () => () => {}, onProgress: () => () => {} } as unknown as Changes;
  return {
    jobs: jobsOf({ on, worker, changes, kindNames: [], telling: createTelling(on), liveCalls: new Map() }),
    waitedMs: () => nowMs,
  };
}

const { signal } = new AbortController();

it.each<[string, (jobs: ReturnType<typeof jobsOf>) => Promise<unknown>]>([
  ['lists jobs', (jobs) => jobs.list({ limit: 20 })],
  ['looks at one', (jobs) => jobs.wait('job_1', { waitMs: 0, signal })],
  ['ends one', (jobs) => jobs.cancel('job_1')],
])('a call that %s is told of a store that is away before its own time is over', async (_, call) => {
  const { jobs, waitedMs } = jobsWithoutStore();
  await expect(call(jobs)).rejects.toMatchObject({ code: 'NEXUS_STORE_UNAVAILABLE' });
  expect(waitedMs()).toBeLessThan(CALL_MS - 10_000);
  expect(waitedMs()).toBeGreaterThan(30_000);
});
