import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { sql } from 'kysely';
import { CHANNEL, openRunDatabase, type RunDatabase } from '../src/record/run-database.ts';
import type { RunRow, StepRow } from '../src/record/tables.ts';

export interface RecordUnderTest extends AsyncDisposable {
  readonly on: RunDatabase;
  /** Puts a run on record that nothing runs. */
  put(row: Partial<RunRow> & Pick<RunRow, 'id'>): Promise<void>;
  row(id: string): Promise<RunRow>;
  /** Puts a step on record that is completed, may not be repeated, and came to nothing. */
  putStep(step: Partial<StepRow> & Pick<StepRow, 'run_id' | 'name'>): Promise<void>;
  step(runId: string, name: string): Promise<StepRow>;
}

/** The same record, whose clock stands still: what is due is not another on a busy machine. */
export function standingAt(on: RunDatabase, nowMs: number): RunDatabase {
  const now = sql<number>`${sql.lit(nowMs)}`;
  return { ...on, store: Object.create(on.store, { now: { value: now } }) };
}

/** The same record, by which the runs that other processes are told of come into `told`, and are told to nobody. */
export function tellingTo(on: RunDatabase, told: string[]): RunDatabase {
  const notify = async (channel: string, runId: string) => {
    if (channel === CHANNEL) told.push(runId);
  };
  return { ...on, store: Object.create(on.store, { notify: { value: notify } }) };
}

/** A run that nothing runs, of which nothing is said but what is given. */
export function rowOf({ id, ...rest }: Partial<RunRow> & Pick<RunRow, 'id'>): RunRow {
  const nothing = {
    parent_id: null,
    parent_step: null,
    session_id: null,
    user_id: null,
    start_key: null,
  };
  const more = { start_digest: null, goes_on_in: null, input: null, definition: null, rerun_of: null };
  const open = {
    message: null,
    owner: null,
    wake_at: null,
    deadline_at: null,
    output: null,
    error: null,
  };
  return {
    ...nothing,
    ...more,
    ...open,
    id,
    root_id: id,
    kind: 'test.kind',
    version: 1,
    title: id,
    status: 'running',
    epoch: 1,
    crashes: 0,
    crash_steps: 0,
    cap_tokens: null,
    cap_micros: null,
    created_at: 1,
    updated_at: 1,
    ended_at: null,
    bytes: 0,
    keep_ms: 0,
    ...rest,
  };
}

/** The tables alone, on the embedded database: for what is held by a statement and needs no process. */
export async function openRecord(): Promise<RecordUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-engine-'));
  const store = createStore({ projectId: 'record', dataDir });
  const on = await openRunDatabase(store);
  return {
    on,
    async put(row) {
      await on.db.insertInto('runs_runs').values(rowOf(row)).execute();
    },
    row: (id) => on.db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async putStep(step) {
      const row: StepRow = {
        ...{ kind: 'step', title: step.name, status: 'completed', attempt: 1, is_repeatable: 0 },
        ...{ digest: null, input: null, output: null, error: null, child_id: null, wake_at: null },
        ...{ begin_seq: 1, end_seq: 2, started_at: 1, ended_at: 2 },
        ...step,
      };
      await on.db.insertInto('runs_steps').values(row).execute();
    },
    step: (runId, name) =>
      on.db
        .selectFrom('runs_steps')
        .selectAll()
        .where('run_id', '=', runId)
        .where('name', '=', name)
        .executeTakeFirstOrThrow(),
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
