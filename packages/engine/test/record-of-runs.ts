import { createStore } from '@nexus/store';
import { sql } from 'kysely';
import { openRunDatabase, type RunDatabase } from '../src/record/run-database.ts';
import type { RunRow } from '../src/record/tables.ts';
import { newPlace } from './engine-under-test.ts';

export interface RecordUnderTest extends AsyncDisposable {
  readonly on: RunDatabase;
  /** Puts a run on record that nothing runs. */
  put(row: Partial<RunRow> & Pick<RunRow, 'id'>): Promise<void>;
  row(id: string): Promise<RunRow>;
}

/** The same record, whose clock stands still: what is due is not another on a busy machine. */
export function standingAt(on: RunDatabase, nowMs: number): RunDatabase {
  const now = sql<number>`${sql.lit(nowMs)}`;
  return { ...on, store: Object.create(on.store, { now: { value: now } }) };
}

/** The tables alone, on the embedded database: for what is held by a statement and needs no process. */
export async function openRecord(): Promise<RecordUnderTest> {
  const place = newPlace(undefined);
  const store = createStore(place.location);
  const on = await openRunDatabase(store);
  return {
    on,
    async put({ id, ...rest }) {
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
      const row: RunRow = {
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
      await on.db.insertInto('runs_runs').values(row).execute();
    },
    row: (id) => on.db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async [Symbol.asyncDispose]() {
      await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
