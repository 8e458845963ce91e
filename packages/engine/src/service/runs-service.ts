import { hostname } from 'node:os';
import type { JobQueue } from '@nexus/core';
import {
  type Host,
  type Run,
  type RunCaller,
  type RunKindName,
  type RunScope,
  type Runs,
  type Spend,
  ToolError,
  type WaitForRun,
} from '@nexus/plugin-sdk';
import { assertChoices } from '../execution/assert-choices.ts';
import { machine } from '../ground.ts';
import { type JobInput, jobKind, type LiveCall, needsTool } from '../jobs/job-run.ts';
import { jobsOf } from '../jobs/jobs.ts';
import { type Found, findCall, newestOf, wasTold } from '../record/begun-before.ts';
import { historyOf } from '../record/claiming.ts';
import { createRun, type NewRun, newRunId } from '../record/creating.ts';
import type { Home } from '../record/door.ts';
import { endedOf, endOutrun, endRun } from '../record/ending.ts';
import { isWorthAnotherTry, readError } from '../record/errors.ts';
import { addOutsideEvent, tell } from '../record/events.ts';
import { deathsOf, forgetCrashes } from '../record/families.ts';
import { familyOf } from '../record/family-of.ts';
import { KEEP_MS, keepRead } from '../record/forgetting.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { type KeepRun, keepRun, keepSpendingOf } from '../record/keep-run.ts';
import {
  endedOrUnknown,
  goingOnBy,
  isUnknown,
  type KeepRule,
  stoodWellOrUnknown,
  takeUpBy,
} from '../record/kept-steps.ts';
import { knownOf } from '../record/labels.ts';
import { notOnRecord } from '../record/not-on-record.ts';
import { prepared } from '../record/prepared.ts';
import { questionMeant } from '../record/question-meant.ts';
import { answerQuestion } from '../record/questions.ts';
import { rootsOf } from '../record/roots-of.ts';
import { hasEnded, openRunDatabase, type RunDatabase } from '../record/run-database.ts';
import { createRunSpans } from '../record/run-spans.ts';
import { raiseCaps } from '../record/spending.ts';
import { startKey } from '../record/start-key.ts';
import type { RunRow } from '../record/tables.ts';
import { keepTakenUp, takenUpBy, takeUpKey } from '../record/taken-up.ts';
import { createTelling, isLeftUntold, type Telling, untoldOf } from '../record/told.ts';
import { digestOf, fromStored } from '../record/values.ts';
import { toEvent, toRunDetail } from '../views/run-detail.ts';
import { toNewRun, toRun } from '../views/run-view.ts';
import { doorOf, waitForRun } from '../waiting/wait-for-run.ts';
import { type Changes, createChanges } from '../worker/changes.ts';
import { createKinds, type Kinds, type KnownKind } from '../worker/kinds.ts';
import { createWorker, type Worker } from '../worker/worker.ts';
import { beginningAnew } from './beginning-anew.ts';
import { type CarryAll, type CarryOnById, carryOn } from './carry-on.ts';
import { asUserOf, type GoOn, goingOn } from './continue-run.ts';
import { definitionOf } from './definition-of.ts';
import type { EngineOptions } from './engine-options.ts';
import { listRuns } from './list-runs.ts';
import { planRerun } from './rerun-run.ts';
import { assertCapSuffices } from './sufficient-cap.ts';

/** Durable runs, connected to the store. */
export interface OpenEngine {
  readonly on: RunDatabase;
  readonly worker: Worker;
  readonly changes: Changes;
  readonly runs: Runs;
  readonly jobs: JobQueue;
  readonly carryOn: CarryOnById;
  readonly carryAll: CarryAll;
}

export async function openEngine(options: EngineOptions, known: readonly KnownKind[]): Promise<OpenEngine> {
  const { store, log, parkAfterMs, graceMs, retention, tools, onFamilyGone } = options;
  const liveCalls = new Map<string, LiveCall>();
  const kind = jobKind({ ...options, liveCalls, knownOf: (id) => knownOf(on, id) });
  const ofJobs = {
    name: kind.name,
    version: kind.version,
    load: async () => ({ kind, host: {} as Host, state: undefined }),
    isElsewhere: ({ id }: RunRow, input: unknown) =>
      !liveCalls.has(id) && needsTool(input as JobInput) && !hasTool(input as JobInput, options),
  };
  const kinds = createKinds([...known, ofJobs]);
  const changes = createChanges(options.ground ?? machine);
  changes.onChange(({ runId, rootId = runId }) => {
    options.onUpdated(runId);
    // What is shown of the first of a family shows those below it.
    if (rootId !== runId) options.onUpdated(rootId);
  });
  const { ground, shutdown, onAnswered } = options;
  const spans =
    options.spans &&
    createRunSpans({ ...options.spans, isAgent: (kind) => kinds.get(kind)?.isAgent === true });
  const on = await openRunDatabase(store, {
    ground,
    shutdown,
    home: homeOf(options, kinds),
    spans,
    onAnswered,
  });
  const worker = await createWorker({
    on,
    kinds,
    changes,
    log,
    shutdown,
    parkAfterMs,
    graceMs,
    retention,
    limits: options.limits,
    tools,
    onFamilyGone,
  });
  const telling = createTelling(on);
  const engine = {
    on,
    worker,
    changes,
    runs: createRuns({ on, worker, changes, kinds, telling }),
  };
  const kindNames = [...new Set(known.map(({ name }) => name))];
  const carry: CarryOnById = async (id, how) => {
    const own = doorOf(on, how);
    return carryOn({ on: own, worker, changes, kindNames }, await findRun(own, id), how);
  };
  return {
    ...engine,
    jobs: jobsOf({ ...engine, telling, liveCalls, kindNames }),
    carryOn: carry,
    async carryAll(how) {
      const { followed } = worker;
      const over = new Set(await endedOf(doorOf(on, how), followed));
      return Promise.all(followed.filter((id) => !over.has(id)).map((id) => carry(id, how)));
    },
  };
}

function hasTool({ tool, origin }: Pick<JobInput, 'tool' | 'origin'>, options: EngineOptions): boolean {
  return options.hasTool?.(tool, origin) !== false;
}

function homeOf(options: EngineOptions, kinds: Kinds): Home {
  const { machine: nameOf = hostname } = options;
  return {
    machine: nameOf(),
    isBound: (kind) => kinds.get(kind)?.place === 'machine',
    lacks({ kind, version, title }) {
      if (kind === JOB_KIND)
        return hasTool({ tool: title }, options) ? undefined : `the plugin of the tool ${title}`;
      if (kinds.get({ name: kind, version })) return undefined;
      const other = kinds.names.find(({ name }) => name === kind);
      const plugin = kind.split('.')[0] ?? kind;
      return other === undefined
        ? `the plugin "${plugin}"`
        : `version ${version} of ${kind}, of which this server has version ${other.version}`;
    },
  };
}

interface RunsParts extends Omit<OpenEngine, 'runs' | 'jobs' | 'carryOn' | 'carryAll'> {
  readonly kinds: Kinds;
  readonly telling: Telling;
}

function createRuns({ on, worker, changes, kinds, telling }: RunsParts): Runs {
  const { db, store } = on;
  /** Every word about a run comes by here: whose it must be is asked in this one place. */
  const isKnown = (kind: RunKindName) => kinds.get(kind) !== undefined;
  const find = (id: string, { user }: RunScope = {}) => findRun(on, id, user);
  const shown = (row: RunRow): Promise<Run> => toRun(on, row, worker.isThere);

  /** What a job or a step is told, of a run below it or one that its call found by its key, its own end says. */
  async function tellOf(own: RunDatabase, row: RunRow, to: WaitForRun['toldTo']): Promise<void> {
    if (!to || !hasEnded(row.status)) return;
    const { id, title, error } = row;
    if (isUnknown(error)) to.noteUnknown?.({ id, title, message: readError(error)?.message ?? '' });
    const isOfStep = to.run !== undefined && to.run.id === row.parent_id;
    const isFoundAgain = to.isForClient === false && to.idempotencyKey !== undefined;
    if (!isOfStep && !isFoundAgain) await telling.tell(own, row, to);
  }

  async function begin(
    run: Omit<NewRun, 'id' | 'owner'>,
    caller: RunCaller | undefined,
    { inPlaceOf, takeUp }: { inPlaceOf?: Omit<KeepRun, 'to'>; takeUp?: string | undefined } = {},
  ) {
    const isHere = isKnown({ name: run.kind, version: run.version });
    // What is below a run goes on with it, whatever the room.
    using place = isHere && run.caller?.run === undefined ? worker.place() : undefined;
    const owner = isHere && place?.isFree !== false ? await worker.join() : undefined;
    const { mostOfProject } = worker;
    const id = newRunId(on.ground);
    const row = await createRun(on, { ...run, id, owner, mostOfProject }, async (trx, to) => {
      if (inPlaceOf) await keepRun(trx, on, { ...inPlaceOf, to });
      if (takeUp !== undefined) await keepTakenUp(trx, takeUp, to.id);
    });
    if (run.concurrency?.onConflict === 'cancel-older') await endOutrun(on);
    if (row?.owner === null) worker.lend(row.id, caller);
    // One that waits for its turn is due at nothing.
    if (row?.status === 'queued' && row.wake_at !== null) worker.offer(row);
    if (!row || owner === undefined) return row;
    // What it kept it need not read again from where it was kept.
    const isOwn = row.status === 'running' && row.owner === owner;
    if (isOwn) worker.begin(row, caller, inPlaceOf ? await historyOf(db, row.id) : undefined);
    return row;
  }

  /** An ended run goes on in a new one. @returns undefined where somebody else had it go on meanwhile */
  async function goOn(run: RunRow, rule: KeepRule, how: GoOn, takeUp?: string) {
    const again = { ...(await goingOn(on, run, how)), place: run.place ?? undefined };
    return begin(again, how.caller, { inPlaceOf: { from: run.id, rule }, takeUp });
  }

  /** The run that stands under a key: one that ended without an outcome goes on first. */
  async function standing(kind: RunKindName, start: StartUnderKey): Promise<RunRow | undefined> {
    await telling.settled();
    for (;;) {
      const { key, isEarlier } = await findStart(on, kind, start);
      const row = await findByKey(on, key);
      if (!row) return undefined;
      await assertSameRequest(on, row, start);
      const rule = isEarlier ? await ruleOfEarlier(on, row) : ruleUnderKey(row);
      if (isEarlier && !rule && start.caller?.run) await keepSpendingOf(on, row, start.caller.run);
      const found = rule ? await goOn(row, rule, start) : row;
      if (found) return found;
    }
  }

  async function resume(
    id: string,
    { cap, ...scope }: { readonly cap?: Partial<Spend> | undefined } & RunScope = {},
  ): Promise<Run> {
    const run = await find(id, scope);
    if (hasEnded(run.status)) {
      const text = `Run ${id} is ${run.status}, and only what is paused can be resumed. \`nexus runs rerun ${id}\` does it again as a new run.`;
      throw new ToolError('NEXUS_CONFLICT', text);
    }
    const family = await familyOf(on, run.root_id);
    if (cap) await assertCapSuffices(on, { rootId: run.root_id, family, cap });
    await on.write(async (trx) => {
      await forgetCrashes(trx, run.root_id);
      if (cap) await raiseCaps(trx, { rootId: run.root_id, family, cap });
      const resumed = await trx
        .updateTable('runs_runs')
        .set({ status: 'queued', error: null, wake_at: store.now, updated_at: store.now })
        .where('id', 'in', family)
        .where('status', '=', 'paused')
        .returning('id')
        .execute();
      for (const each of resumed) {
        await addOutsideEvent(trx, on, each.id, { type: 'run.resumed' });
        await tell(trx, on, each.id);
      }
    });
    const deaths = await deathsOf(on, family);
    return { ...(await shown(await find(id))), ...(deaths === 0 ? {} : { deaths }) };
  }

  return {
    knows: isKnown,
    choices: (kind) => kinds.get(kind)?.choices ?? {},
    async start(kind, input, start = {}) {
      assertChoices(kinds.get(kind), input);
      const { name, version } = kind;
      const { key, request, title = name, definition, caller, cap, timeoutMs, concurrency } = start;
      const keyed = key === undefined ? undefined : { ...start, key, input };
      const under = keyed && {
        key: (await findStart(on, kind, keyed)).key,
        keyDigest: digestOf(request ?? input),
      };
      const place = start.place === 'machine' ? on.home.machine : undefined;
      const of = { kind: name, version, title, input, definition, place, roots: start.roots };
      const run = { ...of, caller, cap, timeoutMs, concurrency, keepMs: KEEP_MS, ...under };
      for (;;) {
        const made = await begin(run, caller);
        if (made?.status === 'running' && made.id === made.root_id) return toNewRun(made);
        // Without a key it is always made; else it may have been forgotten between the two.
        const row = made ?? (keyed && (await standing(kind, keyed)));
        if (row) return shown(row);
      }
    },
    async startedUnder(kind, start) {
      const row = await standing(kind, start);
      return row && shown(row);
    },
    async wait(id, wait) {
      const own = doorOf(on, wait);
      // At work here it is open, and may be over by the first look.
      let sawOpen = worker.isAtWork(id);
      const isThere = (owner: string) => own.ask(() => worker.isThere(owner));
      const { follow, watch, isAtWork } = worker;
      const watched = {
        on: own,
        changes,
        isThere,
        follow,
        watch,
        isAtWork,
        async find(each: string) {
          const found = await findRun(own, each, wait.user);
          sawOpen ||= !hasEnded(found.status);
          return found;
        },
      };
      const row = await waitForRun(watched, id, wait);
      // Who has seen it open is there as it ends, from where its time is counted anyway.
      if (!sawOpen) await keepRead(own, row);
      // Who has gone meanwhile is handed nothing.
      wait.signal.throwIfAborted();
      await tellOf(own, row, wait.toldTo);
      return toRun(own, row, isThere);
    },
    async get(id, { page, toldTo, ...scope } = {}) {
      const row = await find(id, scope);
      await keepRead(on, row);
      await tellOf(on, row, toldTo);
      return toRunDetail(on, row, { isThere: worker.isThere, page });
    },
    async outputOf(id, step, scope) {
      const run = await find(id, scope);
      const row = await db
        .selectFrom('runs_steps')
        .select(['status', 'output'])
        .where('run_id', '=', run.id)
        .where('name', '=', step)
        .executeTakeFirst();
      if (row?.status === 'completed') return fromStored(db, run.id, row.output);
      const text = `Run ${id} has no step ${JSON.stringify(step)} that came to something; nexus://runs/${id} names its steps.`;
      throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { runId: id, step } });
    },
    definitionOf: (id, of) => definitionOf(on, id, of),
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
      await on.write((trx) => endRun(trx, on, id, { status: 'cancelled', error }));
      return shown(await find(id));
    },
    async answer(id, answer, { question: name, digest, isWritten = false, ...scope } = {}) {
      await find(id, scope);
      const request = { runId: id, name, digest, answer, isWritten };
      return answerQuestion(on, isWritten ? await questionMeant(on, request) : request);
    },
    resume,
    async planRerun(id, plan = {}) {
      await telling.settled();
      const run = await find(id, plan);
      if (plan.input !== undefined) await beginningAnew(on, kinds, run, plan.input);
      return (await planRerun(on, plan.goesOn ? await newestOf(on, run) : run, plan)).plan;
    },
    async takeUp(id, { key, ...how } = {}) {
      const call = key === undefined ? undefined : takeUpKey((await find(id, how)).id, key, how.caller?.user);
      await telling.settled();
      for (;;) {
        const taken = call === undefined ? undefined : await takenUpBy(on, call);
        // Anew each time: somebody else may have had it go on meanwhile.
        const run = await newestOf(on, taken ?? (await find(id, how)));
        const rule = taken ? ruleUnderKey(run) : await ruleOfTakeUp(on, run);
        if (!rule) {
          if (call !== undefined && !taken) await keepTakenUp(db, call, run.id);
          const now = await shown(run);
          return now.status === 'paused' ? resume(run.id, { cap: how.cap }) : now;
        }
        const next = await goOn(run, rule, how, call);
        if (next) return shown(next);
      }
    },
    async rerun(id, { key, request, caller, cap, ...rerun } = {}) {
      await telling.settled();
      const run = await find(id, rerun);
      const { kind, version } = run;
      const beginning = await beginningAnew(on, kinds, run, rerun.input);
      const { input } = beginning;
      const ofKind = { name: kind, version };
      const keyed = key === undefined ? undefined : { key, request, input, caller };
      const under = keyed && {
        key: (await findStart(on, ofKind, keyed)).key,
        keyDigest: digestOf(request ?? input),
      };
      const call = key === undefined ? undefined : takeUpKey(id, key, caller?.user);
      const taken = call && (await takenUpBy(on, call));
      const isKnown = taken ?? (under && (await findByKey(on, under.key)));
      const left = isKnown ? undefined : await untoldOf(on, run);
      if (left && call !== undefined) await keepTakenUp(db, call, left.id);
      const told = taken ?? left;
      if (told) return shown(await newestOf(on, told));
      const { rule, plan } = await planRerun(on, run, rerun);
      // What is kept lies where it was made, and what only this run is bound by where its input says.
      const isBound = on.home.isBound(ofKind);
      const place = plan.kept.length > 0 || !isBound ? (run.place ?? undefined) : undefined;
      const definition = await fromStored(db, id, run.definition);
      const of = { kind, version, ...beginning, definition, cap, place, roots: rootsOf(run) };
      const again = { ...of, keepMs: KEEP_MS, rerunOf: id, ...under };
      const by = asUserOf(run, caller);
      for (;;) {
        const row = await begin({ ...again, caller: by }, caller, {
          inPlaceOf: { from: id, rule, isOther: rerun.input !== undefined },
        });
        const found = row ?? (keyed && (await standing(ofKind, keyed)));
        if (found) return shown(found);
      }
    },
  };
}

interface StartUnderKey extends GoOn {
  readonly key: string;
  /** What the key stands for; without it, the input. */
  readonly request?: unknown;
  readonly input?: unknown;
}

/** The key that a start stands under. */
function findStart(on: RunDatabase, { name }: RunKindName, start: StartUnderKey): Promise<Found> {
  const { key, caller } = start;
  return findCall(on, {
    key: startKey([name], key, caller?.user),
    run: caller?.run,
    isSame: (row) => isSameRequest(on, row, start),
  });
}

/** Under a key goes on what was cancelled, or failed as a retry may mend. */
function ruleUnderKey(row: RunRow): KeepRule | undefined {
  if (row.status === 'cancelled') return endedOrUnknown;
  return isWorthAnotherTry(row) ? stoodWellOrUnknown : undefined;
}

/** What ended without an answer goes on for whoever takes it up by its id: of unknown outcome, for who was told. */
async function ruleOfTakeUp(on: RunDatabase, row: RunRow): Promise<KeepRule | undefined> {
  const isOpen = row.status !== 'failed' && row.status !== 'cancelled';
  return isOpen || (await isLeftUntold(on, row)) ? undefined : takeUpBy(row);
}

/** What a step had begun in a run before goes on whatever ended it. */
async function ruleOfEarlier(on: RunDatabase, row: RunRow): Promise<KeepRule | undefined> {
  const isOpen = row.status !== 'failed' && row.status !== 'cancelled';
  return isOpen ? undefined : goingOnBy(row, await wasTold(on, row));
}

/** @throws {ToolError} NEXUS_CONFLICT where the key stands for something else */
async function assertSameRequest(on: RunDatabase, run: RunRow, start: StartUnderKey) {
  if (await isSameRequest(on, run, start)) return;
  const text = `The key "${start.key}" stands for run ${run.id} of ${run.kind} with other input. Use a new key for a new run.`;
  throw new ToolError('NEXUS_CONFLICT', text);
}

async function isSameRequest({ db }: RunDatabase, run: RunRow, start: StartUnderKey): Promise<boolean> {
  const { request } = start;
  const { id, start_digest: digest } = run;
  // A version before kept its input alone: of what it was asked for, whoever has the key is believed.
  if (digest === null && request !== undefined) return true;
  const stoodFor = digest ?? digestOf(await fromStored(db, id, run.input));
  return stoodFor === digestOf(request ?? start.input);
}

async function findRun(on: RunDatabase, id: string, user?: string): Promise<RunRow> {
  const { rows } = await runById(on.db, on, { id });
  const [row] = rows as RunRow[];
  // Of another's run not even its being there is told.
  if (row && (user === undefined || row.user_id === user)) return row;
  throw notOnRecord(id);
}

const runById = prepared<Pick<RunRow, 'id'>>((db, slot) =>
  db.selectFrom('runs_runs').selectAll().where('id', '=', slot('id')),
);

function findByKey({ db }: RunDatabase, key: string): Promise<RunRow | undefined> {
  return db.selectFrom('runs_runs').selectAll().where('start_key', '=', key).executeTakeFirst();
}
