import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobStart } from '@nexus/core';
import type { Log, ToolCallResult } from '@nexus/plugin-sdk';
import { createStore, type StoreLocation } from '@nexus/store';
import { inject } from 'vitest';
import type { Database } from '../src/database.ts';
import { createJobs, type DurableJobs, type RecordedCall } from '../src/index.ts';
import type { ServerRow } from '../src/tables.ts';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** SQLite always; Postgres where it is installed. Each test gets a database, or a tool, of its own. */
export const databases: readonly { name: string; place(): StoreLocation & AsyncDisposable }[] = [
  { name: 'SQLite', place: embedded },
  ...(inject('databaseUrl') === '' ? [] : [{ name: 'Postgres', place: shared }]),
];

function embedded(): StoreLocation & AsyncDisposable {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-jobs-'));
  return {
    projectId: 'test',
    dataDir,
    async [Symbol.asyncDispose]() {
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function shared(): StoreLocation & AsyncDisposable {
  return {
    projectId: 'test',
    dataDir: '',
    databaseUrl: inject('databaseUrl'),
    async [Symbol.asyncDispose]() {},
  };
}

/** One server's jobs. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly jobs: DurableJobs;
  /** Calls that it made again. */
  readonly reruns: RecordedCall[];
  /** Makes a job another server's: one of this machine whose process has ended, unless told otherwise. */
  giveTo(jobId: string, server?: Partial<ServerRow>): Promise<void>;
  db(): Promise<Database>;
}

export function startServer(
  place: StoreLocation,
  rerun: () => Promise<ToolCallResult> = async () => result('again'),
): ServerUnderTest {
  const store = createStore(place);
  const reruns: RecordedCall[] = [];
  const jobs = createJobs({
    store,
    log: quiet,
    rerun(call) {
      reruns.push(call);
      return rerun();
    },
  });
  const db = () => store.open('jobs', []) as Promise<Database>;
  return {
    jobs,
    reruns,
    db,
    async giveTo(jobId, other) {
      const ended = spawnSync(process.execPath, ['-e', '']).pid;
      const id = crypto.randomUUID();
      const row = { id, host: hostname(), pid: ended, heartbeat_at: Date.now(), ...other };
      await (await db()).insertInto('jobs_servers').values(row).execute();
      await (await db()).updateTable('jobs_jobs').set({ server_id: id }).where('id', '=', jobId).execute();
    },
    async [Symbol.asyncDispose]() {
      await jobs.stop();
      await store.close();
    },
  };
}

let nextTool = 1;

/** A job of a tool of its own that answers at once, unless it is told otherwise. */
export function work(start: Partial<JobStart> = {}): JobStart {
  return {
    tool: `tool_${process.pid}_${nextTool++}`,
    arguments: { a: 1, b: ['x'] },
    sessionId: 'session',
    mayRunTwice: false,
    run: async () => result('done'),
    ...start,
  };
}

/** Work that ends when the test says so, or its signal. */
export function heldWork(start: Partial<JobStart> = {}) {
  let end: (result: ToolCallResult) => void = () => {};
  const ended = new Promise<ToolCallResult>((resolve) => {
    end = resolve;
  });
  const job = work({
    run: ({ signal }) =>
      Promise.race([
        ended,
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]),
    ...start,
  });
  return { job, end: (text: string) => end(result(text)) };
}

export function result(text: string): ToolCallResult {
  return { content: [{ type: 'text', text }], structuredContent: { text } };
}
