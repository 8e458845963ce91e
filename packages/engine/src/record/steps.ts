import { sql } from 'kysely';
import { addCalls, type DoneCall, sizeOfCalls } from './calls.ts';
import { errorText } from './errors.ts';
import { addEvent } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { notOnRecord } from './not-on-record.ts';
import { closeCalls } from './paying.ts';
import { prepared } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { StepRow } from './tables.ts';
import { type Stored, saveBlob, sizeOf, toStored } from './values.ts';

export interface StepBeginning {
  readonly name: string;
  readonly title: string;
  readonly attempt: number;
  readonly seq: number;
  readonly digest: string | null;
  readonly input: string | null;
  readonly isRepeatable: boolean;
  /** Whether its run ends, or leaves, by the time that this is written: then nothing of it is done. */
  isCalledOff?(): boolean;
}

/**
 * On record before any work is done: so nobody works on a run that is another's. A power cut may take the beginning of
 * what may be repeated, which then begins anew. All that the work stands on was waited for before.
 */
export function beginStep(on: RunDatabase, token: RunToken, step: StepBeginning): OwnerChange<void> {
  const { name, title, attempt, seq, digest, input } = step;
  return {
    isSparable: step.isRepeatable,
    async work(trx) {
      const is_repeatable = step.isRepeatable ? 1 : 0;
      const row = { run_id: token.runId, name, title, seq, attempt, digest, input, is_repeatable };
      await insertStep(trx, on, row);
      if (step.isCalledOff?.()) return putOff(trx, on, { ...row, runId: token.runId });
      const data = title === name ? undefined : { title };
      await addEvent(trx, on, token.runId, { seq, type: 'step.started', step: name, attempt, data });
    },
  };
}

const insertStep = prepared<
  Pick<StepRow, 'run_id' | 'name' | 'title' | 'attempt' | 'digest' | 'input' | 'is_repeatable'> & {
    seq: number;
  }
>((db, slot, { store }) =>
  db
    .insertInto('runs_steps')
    .values({
      ...newStep(slot('run_id'), {
        name: slot('name'),
        title: slot('title'),
        seq: slot('seq'),
        kind: 'step',
      }),
      status: 'running',
      attempt: slot('attempt'),
      digest: slot('digest'),
      input: slot('input'),
      is_repeatable: slot('is_repeatable'),
      started_at: store.now as never,
    })
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'name']).doUpdateSet({
        status: 'running',
        attempt: slot('attempt'),
        is_repeatable: slot('is_repeatable'),
        wake_at: null,
      }),
    ),
);

/** A step that has only begun, and whose work has not: as if it had not, for whoever goes on with the run. */
export function callOff(
  on: RunDatabase,
  { runId }: RunToken,
  step: Pick<StepBeginning, 'name' | 'attempt' | 'seq'>,
): OwnerChange<void> {
  return { work: (trx) => putOff(trx, on, { ...step, runId }) };
}

async function putOff(
  trx: RunTransaction,
  on: RunDatabase,
  { runId, name, attempt, seq }: Pick<StepBeginning, 'name' | 'attempt' | 'seq'> & { readonly runId: string },
): Promise<void> {
  await trx
    .updateTable('runs_steps')
    .set({ status: 'waiting', wake_at: on.store.now as never })
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .execute();
  await addEvent(trx, on, runId, { seq, type: 'step.interrupted', step: name, attempt });
}

/** From then on its attempt is not made again where its process ends: on record before what can't be done twice. */
export function markOnce(
  { runId }: RunToken,
  { name, attempt }: Pick<StepBeginning, 'name' | 'attempt'>,
): OwnerChange<void> {
  return {
    isUnnumbered: true,
    async work(trx) {
      await trx
        .updateTable('runs_steps')
        .set({ is_repeatable: 0 })
        .where('run_id', '=', runId)
        .where('name', '=', name)
        .where('attempt', '=', attempt)
        .execute();
    },
  };
}

export type StepOutcome = { readonly output: unknown } | { readonly error: unknown };

/** What a step came to, as it is kept. */
export type KeptOutcome = { readonly output: Stored } | { readonly error: string };

/** @throws {TypeError} for an answer that JSON can't hold */
export function toKept(outcome: StepOutcome): KeptOutcome {
  return 'output' in outcome ? { output: toStored(outcome.output) } : { error: errorText(outcome.error) };
}

export interface StepEnd {
  readonly name: string;
  readonly attempt: number;
  readonly seq: number;
  readonly outcome: KeptOutcome;
  /** The family's first run, where the step had calls that were paid: they are over with it. */
  readonly paidBy?: string | undefined;
  /** What it called that must not be called twice. */
  readonly calls?: readonly DoneCall[] | undefined;
}

/** What a run is handed of a step that has ended. */
export interface EndedStep extends Pick<StepRow, 'name' | 'status' | 'output' | 'error' | 'end_seq'> {
  /** What `output` refers to, where it is at hand. */
  readonly blob?: Stored['blob'];
}

/** The end of a step: what is written, and what the run goes on with, which is what it would read again. */
export interface StepEnding extends OwnerChange {
  readonly row: EndedStep;
}

export function endStep(on: RunDatabase, token: RunToken, end: StepEnd): StepEnding {
  const { name, attempt, seq, outcome, calls = [] } = end;
  const isDone = 'output' in outcome;
  const output = isDone ? outcome.output : { text: null };
  const kept = {
    name,
    status: isDone ? ('completed' as const) : ('failed' as const),
    output: output.text,
    error: isDone ? null : outcome.error,
    end_seq: seq,
  };
  return {
    row: { ...kept, blob: output.blob },
    ...(isDone ? { grown: sizeOf(output) + sizeOfCalls(calls) } : {}),
    async work(trx) {
      await saveBlob(trx, token.runId, output);
      await addEvent(trx, on, token.runId, { seq, type: `step.${kept.status}`, step: name, attempt });
      await closeStep(trx, on, { run_id: token.runId, ...kept });
      if (isDone && calls.length > 0) await addCalls(trx, { runId: token.runId, step: name, calls });
      if (end.paidBy !== undefined) {
        const of = { rootId: end.paidBy, runId: token.runId, step: name };
        await closeCalls(trx, on, { ...of, answersStay: isDone });
      }
    },
  };
}

const closeStep = prepared<Omit<EndedStep, 'blob'> & { run_id: string }>((db, slot, { store }) =>
  db
    .updateTable('runs_steps')
    .set({
      status: slot('status'),
      output: slot('output'),
      error: slot('error'),
      end_seq: slot('end_seq'),
      wake_at: null,
      ended_at: store.now,
    })
    .where('run_id', '=', slot('run_id'))
    .where('name', '=', slot('name')),
);

/** A step that is nothing but its value: begun and ended by one write. */
export function keepValue(
  on: RunDatabase,
  token: RunToken,
  step: { kind: 'value' | 'event'; name: string; seq: number; type?: string; value: unknown },
): StepEnding {
  const { kind, name, seq, type = 'step.completed', value } = step;
  const output = toStored(value);
  return {
    row: { name, status: 'completed', output: output.text, error: null, end_seq: seq, blob: output.blob },
    // Whoever tells of an event gets nothing by it that it goes on from.
    isSparable: kind === 'event',
    async work(trx) {
      const data = kind === 'event' ? value : undefined;
      await addEvent(trx, on, token.runId, { seq, type, step: name, attempt: 1, data });
      await saveBlob(trx, token.runId, output);
      await insertValue(trx, on, { run_id: token.runId, name, kind, seq, output: output.text });
    },
  };
}

const insertValue = prepared<Pick<StepRow, 'run_id' | 'name' | 'kind' | 'output'> & { seq: number }>(
  (db, slot, { store }) =>
    db
      .insertInto('runs_steps')
      .values({
        ...newStep(slot('run_id'), {
          name: slot('name'),
          title: slot('name'),
          seq: slot('seq'),
          kind: slot('kind'),
        }),
        status: 'completed',
        output: slot('output'),
        end_seq: slot('seq'),
        started_at: store.now as never,
        ended_at: store.now as never,
      })
      // Numbered and made for this write: one that is there is this write's, whose answer was lost.
      .onConflict((conflict) => conflict.doNothing()),
);

/** What a step waits for, and until when. */
export interface StepWait {
  readonly name: string;
  readonly title: string;
  readonly kind: 'step' | 'sleep' | 'question';
  readonly attempt: number;
  readonly seq: number;
  readonly ms: number;
  /** Why a step waits to be tried again. */
  readonly error?: unknown;
  /** As of a step's end. */
  readonly paidBy?: string | undefined;
}

export function beginWait(on: RunDatabase, token: RunToken, wait: StepWait): OwnerChange<void> {
  const { name, title, kind, attempt, seq, ms } = wait;
  const inMs = Math.max(0, Math.round(ms));
  return {
    async work(trx) {
      await insertWait(trx, on, { run_id: token.runId, name, title, kind, attempt, seq, inMs });
      const type = kind === 'step' ? 'step.retrying' : 'step.started';
      const named = title === name ? undefined : { title };
      const data = wait.error === undefined ? named : { error: JSON.parse(errorText(wait.error)), ms };
      await addEvent(trx, on, token.runId, { seq, type, step: name, attempt, data });
      if (wait.paidBy !== undefined) {
        const of = { rootId: wait.paidBy, runId: token.runId, step: name };
        await closeCalls(trx, on, { ...of, answersStay: false });
      }
    },
  };
}

const insertWait = prepared<
  Pick<StepRow, 'run_id' | 'name' | 'title' | 'kind' | 'attempt'> & { seq: number; inMs: number }
>((db, slot, { store }) => {
  const wake_at = sql<number>`${store.now} + ${slot('inMs')}` as never;
  return db
    .insertInto('runs_steps')
    .values({
      ...newStep(slot('run_id'), {
        name: slot('name'),
        title: slot('title'),
        seq: slot('seq'),
        kind: slot('kind'),
      }),
      status: 'waiting',
      attempt: slot('attempt'),
      wake_at,
      started_at: store.now as never,
    })
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'name']).doUpdateSet({ status: 'waiting', wake_at }),
    );
});

const CUT_SHORT = ['NEXUS_BUDGET_EXCEEDED', 'NEXUS_STORE_UNAVAILABLE'];

/** How many attempts of a step did not fail by themselves: their process ended or was about to, their budget, or the store was away. */
export async function attemptsCutShort({ db }: RunDatabase, runId: string, name: string): Promise<number> {
  const { count } = await db
    .selectFrom('runs_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('run_id', '=', runId)
    .where('step', '=', name)
    .where(({ and, eb, or }) =>
      or([
        eb('type', 'in', ['step.interrupted', 'step.asks']),
        and([
          eb('type', '=', 'step.retrying'),
          or(CUT_SHORT.map((code) => eb('data', 'like', `{"error":{"code":"${code}"%`))),
        ]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A step that looks for something has not found it: nothing but when it looks again is put on record. */
export function waitOn(
  on: RunDatabase,
  token: RunToken,
  { name, attempt, ms }: Pick<StepWait, 'name' | 'attempt' | 'ms'>,
): OwnerChange<void> {
  const wake_at = sql<number>`${on.store.now} + ${Math.max(0, Math.round(ms))}`;
  return {
    isUnnumbered: true,
    async work(trx) {
      await trx
        .updateTable('runs_steps')
        .set({ status: 'waiting', attempt, wake_at })
        .where('run_id', '=', token.runId)
        .where('name', '=', name)
        .execute();
    },
  };
}

/** @returns milliseconds until a waiting step is due by the database's clock; 0 or less when it is */
export async function dueIn(on: RunDatabase, runId: string, name: string): Promise<number> {
  const { rows } = await leftOf(on.db, on, { run_id: runId, name });
  const [step] = rows as { left: number }[];
  if (!step) throw notOnRecord(runId);
  return Number(step.left);
}

const leftOf = prepared<Pick<StepRow, 'run_id' | 'name'>>((db, slot, { store }) =>
  db
    .selectFrom('runs_steps')
    .select(sql<number>`coalesce(wake_at, 0) - ${store.now}`.as('left'))
    .where('run_id', '=', slot('run_id'))
    .where('name', '=', slot('name')),
);

/** Steps that a child or a person has answered, and whose answer the run has not taken yet. */
export function arrivedSteps({ db }: RunDatabase, runId: string): Promise<StepRow[]> {
  return db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('end_seq', 'is', null)
    .where('status', 'in', ['completed', 'failed'])
    .execute();
}

/**
 * Nobody knows what came of a step: that is on record before the run is told of it, which {@link takeArrived} puts there.
 */
export function closeUntold(
  on: RunDatabase,
  { runId }: RunToken,
  { name, error, paidBy }: { name: string; error: string; paidBy?: string | undefined },
): OwnerChange<void> {
  return {
    isUnnumbered: true,
    isOutcome: true,
    async work(trx) {
      await trx
        .updateTable('runs_steps')
        .set({ status: 'failed', error, wake_at: null, ended_at: on.store.now as never })
        .where('run_id', '=', runId)
        .where('name', '=', name)
        .execute();
      if (paidBy !== undefined)
        await closeCalls(trx, on, { rootId: paidBy, runId, step: name, answersStay: true });
    },
  };
}

/** A step whose end is on record, without its place in the run's order. */
export type Arrived = Pick<StepRow, 'name' | 'attempt' | 'status' | 'output' | 'error'>;

/** The run goes on from an answer: from then on it has its place in the run's order. */
export function takeArrived(
  on: RunDatabase,
  token: RunToken,
  { name, attempt, status, output, error }: Arrived,
  seq: number,
): StepEnding {
  return {
    row: { name, status, output, error, end_seq: seq },
    grown: 0,
    async work(trx) {
      await addEvent(trx, on, token.runId, { seq, type: `step.${status}`, step: name, attempt });
      await numberEnd(trx, on, { run_id: token.runId, name, seq });
    },
  };
}

const numberEnd = prepared<Pick<StepRow, 'run_id' | 'name'> & { seq: number }>((db, slot) =>
  db
    .updateTable('runs_steps')
    .set({ end_seq: slot('seq') })
    .where('run_id', '=', slot('run_id'))
    .where('name', '=', slot('name')),
);

export function newStep(
  runId: string,
  step: { name: string; title: string; kind: StepRow['kind']; seq: number },
): Omit<StepRow, 'status' | 'started_at'> {
  const { name, title, kind, seq } = step;
  return {
    run_id: runId,
    name,
    title,
    kind,
    attempt: 1,
    digest: null,
    input: null,
    is_repeatable: 1,
    output: null,
    error: null,
    begin_seq: seq,
    end_seq: null,
    child_id: null,
    wake_at: null,
    ended_at: null,
  };
}
