import type { JobQueue } from '@nexus/core';
import {
  type Host,
  type Run,
  type RunKindName,
  type RunScope,
  type Runs,
  ToolError,
} from '@nexus/plugin-sdk';
import type { EngineOptions } from '../engine.ts';
import { jobKind } from '../jobs/job-run.ts';
import { jobsOf } from '../jobs/jobs.ts';
import { historyOf } from '../record/claiming.ts';
import { createRun, type NewRun } from '../record/creating.ts';
import { endRun } from '../record/ending.ts';
import { addOutsideEvent, tell } from '../record/events.ts';
import { answerQuestion } from '../record/questions.ts';
import { hasEnded, openRunDatabase, type RunDatabase } from '../record/run-database.ts';
import { raiseCaps } from '../record/spending.ts';
import type { RunRow } from '../record/tables.ts';
import { digestOf, fromStored } from '../record/values.ts';
import { toEvent, toRunDetail } from '../views/run-detail.ts';
import { familyOf, toRun } from '../views/run-view.ts';
import { type Changes, createChanges } from '../worker/changes.ts';
import { createKinds, type Kinds, type KnownKind } from '../worker/kinds.ts';
import { createWorker, type Worker } from '../worker/worker.ts';
import { type KeepRun, keepRun } from './keep-run.ts';
import { ended } from './kept-steps.ts';
import { listRuns } from './list-runs.ts';
import { planRerun } from './rerun-run.ts';
import { waitForRun } from './wait-for-run.ts';

/** How long an ended run stays on record. */
const KEEP_MS = 30 * 86_400_000;

/** Durable runs, connected to the store. */
export interface OpenEngine {
  readonly on: RunDatabase;
  readonly worker: Worker;
  readonly changes: Changes;
  readonly runs: Runs;
  readonly jobs: JobQueue;
}

export async function openEngine(options: EngineOptions, known: readonly KnownKind[]): Promise<OpenEngine> {
  const { store, log, parkAfterMs, graceMs, tools } = options;
  const kind = jobKind(options);
  const ofJobs = {
    name: kind.name,
    version: kind.version,
    load: async () => ({ kind, host: {} as Host, state: undefined }),
  };
  const kinds = createKinds([...known, ofJobs]);
  const changes = createChanges();
  changes.onChange(({ runId }) => options.onUpdated(runId));
  const on = await openRunDatabase(store);
  const worker = await createWorker({ on, kinds, changes, log, parkAfterMs, graceMs, tools });
  const engine = { on, worker, changes, runs: createRuns({ on, worker, changes, kinds }) };
  return { ...engine, jobs: jobsOf(engine) };
}

interface RunsParts extends Omit<OpenEngine, 'runs' | 'jobs'> {
  readonly kinds: Kinds;
}

function createRuns({ on, worker, changes, kinds }: RunsParts): Runs {
  const { db, store } = on;
  /** Every word about a run comes by here: whose it must be is asked in this one place. */
  const isKnown = (kind: RunKindName) => kinds.get(kind) !== undefined;
  const find = (id: string, { user }: RunScope = {}) => findRun(on, id, user);
  const shown = (row: RunRow): Promise<Run> => toRun(on, row, worker.isThere);

  async function begin(
    run: Omit<NewRun, 'owner'>,
    live: unknown,
    inPlaceOf?: Pick<KeepRun, 'from' | 'rule'>,
  ) {
    const owner = kinds.get({ name: run.kind, version: run.version }) && (await worker.join());
    let children: readonly RunRow[] = [];
    const row = await createRun(on, { ...run, owner }, async (trx, to) => {
      if (inPlaceOf) children = await keepRun(trx, on, { ...inPlaceOf, to, isKnown });
    });
    if (!row || owner === undefined) return row;
    for (const each of [row, ...children.filter((child) => child.owner === owner)]) {
      worker.begin(each, live, inPlaceOf ? await historyOf(db, each.id) : undefined);
    }
    return row;
  }

  return {
    knows: isKnown,
    async start(kind, input, start = {}) {
      const { name, version } = kind;
      const key = start.key === undefined ? undefined : keyOf(kind, start.key);
      const { title = name, definition, caller, cap, timeoutMs } = start;
      const run = {
        kind: name,
        version,
        title,
        input,
        definition,
        caller,
        key,
        cap,
        timeoutMs,
        keepMs: KEEP_MS,
      };
      for (;;) {
        const row = await begin(run, start.live);
        if (row) return shown(row);
        const earlier = await findByKey(on, key ?? '');
        if (!earlier) continue; // it was forgotten between the two
        const had = await fromStored(db, earlier.id, earlier.input);
        if (digestOf(had) !== digestOf(input)) {
          const text = `The key "${start.key}" stands for run ${earlier.id} of ${name} with other input. Use a new key for a new run.`;
          throw new ToolError('NEXUS_CONFLICT', text);
        }
        if (earlier.status !== 'cancelled') return shown(earlier);
        const { id } = earlier;
        const again = { ...run, rerunOf: id, inPlaceOf: id };
        const begun = await begin(again, start.live, { from: id, rule: ended });
        if (begun) return shown(begun);
      }
    },
    async wait(id, wait) {
      const watched = { on, changes, isThere: worker.isThere, find: (each: string) => find(each, wait) };
      return shown(await waitForRun(watched, id, wait));
    },
    async get(id, scope) {
      return toRunDetail(on, await find(id, scope), worker.isThere);
    },
    async list(query) {
      return listRuns(on, query, worker.isThere);
    },
    async events(id, { after = 0, ...scope } = {}) {
      await find(id, scope);
      const rows = await db
        .selectFrom('runs_events')
        .selectAll()
        .where('run_id', '=', id)
        .where('seq', '>', after)
        .orderBy('seq')
        .execute();
      return rows.map(toEvent);
    },
    async cancel(id, scope) {
      await find(id, scope);
      const error = new ToolError('NEXUS_CANCELLED', 'The run was cancelled.');
      await db.transaction().execute((trx) => endRun(trx, on, id, { status: 'cancelled', error }));
      return shown(await find(id));
    },
    async answer(id, answer, { question: name, digest, ...scope } = {}) {
      await find(id, scope);
      return answerQuestion(on, { runId: id, name, digest, answer });
    },
    async resume(id, { cap, ...scope } = {}) {
      const run = await find(id, scope);
      if (hasEnded(run.status)) {
        throw new ToolError(
          'NEXUS_CONFLICT',
          `Run ${id} is ${run.status}: rerun it, from a step if you like.`,
        );
      }
      const family = await familyOf(on, run.root_id);
      await db.transaction().execute(async (trx) => {
        if (cap) await raiseCaps(trx, { rootId: run.root_id, family, cap });
        const resumed = await trx
          .updateTable('runs_runs')
          .set({ status: 'queued', error: null, wake_at: store.now, crashes: 0, updated_at: store.now })
          .where('id', 'in', family)
          .where('status', '=', 'paused')
          .returning('id')
          .execute();
        for (const each of resumed) {
          await addOutsideEvent(trx, on, each.id, { type: 'run.resumed' });
          await tell(trx, on, each.id);
        }
      });
      return shown(await find(id));
    },
    async planRerun(id, plan = {}) {
      const { rule: _, ...said } = await planRerun(on, await find(id, plan), plan);
      return said;
    },
    async rerun(id, rerun = {}) {
      const run = await find(id, rerun);
      const { rule } = await planRerun(on, run, rerun);
      const input = rerun.input ?? (await fromStored(db, id, run.input));
      const definition = await fromStored(db, id, run.definition);
      const { kind, version, title } = run;
      const { caller = callerOf(run), cap } = rerun;
      const again = { kind, version, title, input, definition, caller, cap, keepMs: KEEP_MS, rerunOf: id };
      const row = await begin(again, rerun.live, { from: id, rule });
      if (!row) throw new Error('a run without a key was not made');
      return shown(row);
    },
  };
}

function callerOf({ session_id, user_id }: RunRow) {
  return session_id === null ? undefined : { session: { id: session_id }, user: user_id ?? undefined };
}

function keyOf({ name }: RunKindName, key: string): string {
  return `${name}\n${key}`;
}

async function findRun({ db }: RunDatabase, id: string, user?: string): Promise<RunRow> {
  const row = await db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirst();
  // Of another's run not even its being there is told.
  if (row && (user === undefined || row.user_id === user)) return row;
  throw new ToolError('NEXUS_NOT_FOUND', `No run ${id}: it never was, or its time on record is over.`);
}

function findByKey({ db }: RunDatabase, key: string): Promise<RunRow | undefined> {
  return db.selectFrom('runs_runs').selectAll().where('start_key', '=', key).executeTakeFirst();
}
