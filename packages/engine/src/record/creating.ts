import { type Concurrency, type RunCaller, type Spend, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import type { Ground } from '../ground.ts';
import { addEvent } from './events.ts';
import { toMicros } from './micros.ts';
import { prepared } from './prepared.ts';
import { lockedRoom } from './room.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import { keptTrace, traceOfChild } from './run-spans.ts';
import type { RunRow } from './tables.ts';
import { takeTurn } from './turns.ts';
import { saveBlob, sizeOf, toStored } from './values.ts';

export interface NewRun {
  /** Made before the write, so that a run which is there under it is the write's own. */
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly title: string;
  readonly input: unknown;
  readonly definition?: unknown;
  readonly caller?: RunCaller | undefined;
  /** As `StartOptions.roots`; by default its parent's. */
  readonly roots?: readonly string[] | undefined;
  /** Of all runs' keys; see {@link startKey}. */
  readonly key?: string | undefined;
  /** Digest of what the key stands for. */
  readonly keyDigest?: string | undefined;
  readonly cap?: Partial<Spend> | undefined;
  readonly timeoutMs?: number | undefined;
  readonly concurrency?: Concurrency | undefined;
  readonly keepMs: number;
  readonly rerunOf?: string | undefined;
  /** The ended run that goes on in this one, whose key becomes this one's: of several that come, one makes it. */
  readonly inPlaceOf?: RunRow | undefined;
  /** The machine that alone can go on with it, where that is not its kind's to say. */
  readonly place?: string | undefined;
  /** The process that runs it from the start; without one, or where it is to be done elsewhere, it is queued. */
  readonly owner: string | undefined;
  /** How many runs of the project may go on at a time: where so many do, this one is queued. */
  readonly mostOfProject?: number | undefined;
}

/**
 * How long what is due of a family is left to the process that has others of it in hand. Then anybody may take
 * it: that one may lack the plugin.
 */
export const FAMILY_MS = 2_000;

/** 128 random bits under a readable prefix, which tells a model what kind of id it holds. */
export function newRunId(ground: Ground, prefix = 'run'): string {
  return `${prefix}_${ground.hex(16)}`;
}

/**
 * A run from outside, or a child of the run from whose step its caller's call comes.
 * @param also what is to be on record with it
 * @returns undefined where the key is taken, or the run in whose place it comes went on already
 * @throws {ToolError} NEXUS_CANCELLED where the parent is over or another process's, NEXUS_CONFLICT where others of its
 *   key keep it out
 */
export function createRun(
  on: RunDatabase,
  run: NewRun,
  also?: (trx: RunTransaction, row: RunRow) => Promise<void>,
): Promise<RunRow | undefined> {
  return on.write(async (trx) => {
    const of = run.caller?.run;
    const family = of && {
      parent: await openParent(trx, on, { id: of.id, owner: run.owner }),
      step: of.step,
    };
    const isFree = run.inPlaceOf === undefined || (await goOnIn(trx, run.inPlaceOf, run.id));
    const most = run.mostOfProject ?? Number.POSITIVE_INFINITY;
    const isChosen = family !== undefined || run.owner === undefined;
    const hasRoom = isChosen || (await lockedRoom(trx, on, most)) > 0;
    const made = hasRoom ? run : { ...run, owner: undefined };
    const row = isFree ? await insertRun(trx, on, made, family) : undefined;
    // Not free, or there already, by this very write.
    if (!row) return findMade(trx, run.id);
    await also?.(trx, row);
    // Last: whoever has a key waits for no other run's row.
    return run.concurrency ? takeTurn(trx, on, row, run.concurrency) : row;
  });
}

export function findMade(trx: RunTransaction, id: string): Promise<RunRow | undefined> {
  return trx.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Locked until the child is there: an end of the parent comes before it, or ends the child too.
 * @param owner the process that begins the child, whose the parent is as long as its step may begin anything
 * @throws {ToolError} NEXUS_CANCELLED
 */
export async function openParent(
  trx: RunTransaction,
  on: RunDatabase,
  { id, owner }: { readonly id: string; readonly owner: string | undefined },
): Promise<RunRow> {
  const parent = await trx
    .updateTable('runs_runs')
    .set({ updated_at: on.store.now })
    .where('id', '=', id)
    .where('status', 'not in', ENDED)
    .returningAll()
    .executeTakeFirst();
  if (!parent) throw new ToolError('NEXUS_CANCELLED', `The run ${id} that this call comes from is over.`);
  if (owner === undefined || parent.owner === owner) return parent;
  // It was taken for dead: whoever has the family comes to this call by itself, and the room for it is theirs.
  const text = `The run ${id} that this call comes from is no longer this process's: whoever has it makes the call.`;
  throw new ToolError('NEXUS_CANCELLED', text);
}

/** @returns whether it had not gone on yet, as far as it was read: of two that take it up, one does */
export async function goOnIn(
  trx: RunTransaction,
  { id, status, goes_on_in: before }: RunRow,
  next: string,
): Promise<boolean> {
  const given = await trx
    .updateTable('runs_runs')
    .set({ goes_on_in: next, start_key: null })
    .where('id', '=', id)
    .where('status', '=', status)
    .where((eb) => (before === null ? eb('goes_on_in', 'is', null) : eb('goes_on_in', '=', before)))
    .returning('id')
    .executeTakeFirst();
  return given !== undefined;
}

export async function insertRun(
  trx: RunTransaction,
  on: RunDatabase,
  run: NewRun,
  family: { parent: RunRow; step: string } | undefined,
): Promise<RunRow | undefined> {
  const { id } = run;
  const input = toStored(run.input);
  const definition = toStored(run.definition);
  const parent = family?.parent;
  // What a run works on lies where its family does.
  const place =
    parent?.place ??
    run.place ??
    (on.home.isBound({ name: run.kind, version: run.version }) ? on.home.machine : null);
  const owner = place === null || place === on.home.machine ? run.owner : undefined;
  const { rows } = await insertRow(trx, on, {
    id,
    place,
    root_id: parent?.root_id ?? id,
    parent_id: parent?.id ?? null,
    parent_step: family?.step ?? null,
    kind: run.kind,
    version: run.version,
    title: run.title,
    session_id: run.caller?.session.id ?? parent?.session_id ?? null,
    user_id: run.caller?.user ?? parent?.user_id ?? null,
    roots: run.roots === undefined ? (parent?.roots ?? null) : JSON.stringify(run.roots),
    start_key: run.key ?? null,
    start_digest: run.keyDigest ?? null,
    input: input.text,
    definition: definition.text,
    rerun_of: run.rerunOf ?? null,
    status: owner === undefined ? 'queued' : 'running',
    owner: owner ?? null,
    epoch: owner === undefined ? 0 : 1,
    // What nobody here can do of a family is anybody's at once.
    dueInMs: owner !== undefined ? null : parent ? -FAMILY_MS : 0,
    timeoutMs: run.timeoutMs === undefined ? null : Math.round(run.timeoutMs),
    cap_tokens: run.cap?.tokens ?? null,
    cap_micros: run.cap?.costUsd === undefined ? null : toMicros(run.cap.costUsd),
    bytes: sizeOf(input) + sizeOf(definition),
    trace: tracedAs(run, family),
    keep_ms: run.keepMs,
    concurrency: run.concurrency === undefined ? null : JSON.stringify(run.concurrency),
  });
  const [row] = rows as RunRow[];
  if (!row) return undefined;
  await saveBlob(trx, id, input);
  await saveBlob(trx, id, definition);
  const data = family && { parentId: family.parent.id, parentStep: family.step };
  await addEvent(trx, on, id, { seq: 1, type: 'run.created', data });
  return row;
}

type NewRow = Omit<
  RunRow,
  | 'goes_on_in'
  | 'message'
  | 'crashes'
  | 'crash_steps'
  | 'wake_at'
  | 'deadline_at'
  | 'output'
  | 'error'
  | 'created_at'
  | 'updated_at'
  | 'ended_at'
  | 'read_at'
  | 'told_at'
> & { readonly dueInMs: number | null; readonly timeoutMs: number | null };

const insertRow = prepared<NewRow>((db, slot, { store: { now } }) =>
  db
    .insertInto('runs_runs')
    .values({
      id: slot('id'),
      place: slot('place'),
      root_id: slot('root_id'),
      parent_id: slot('parent_id'),
      parent_step: slot('parent_step'),
      kind: slot('kind'),
      version: slot('version'),
      title: slot('title'),
      session_id: slot('session_id'),
      user_id: slot('user_id'),
      roots: slot('roots'),
      start_key: slot('start_key'),
      start_digest: slot('start_digest'),
      goes_on_in: null,
      input: slot('input'),
      definition: slot('definition'),
      rerun_of: slot('rerun_of'),
      status: slot('status'),
      message: null,
      owner: slot('owner'),
      epoch: slot('epoch'),
      crashes: 0,
      crash_steps: 0,
      wake_at: sql<number>`${now} + ${slot('dueInMs')}`,
      deadline_at: sql<number>`${now} + ${slot('timeoutMs')}`,
      output: null,
      error: null,
      cap_tokens: slot('cap_tokens'),
      cap_micros: slot('cap_micros'),
      created_at: now,
      updated_at: now,
      ended_at: null,
      bytes: slot('bytes'),
      trace: slot('trace'),
      keep_ms: slot('keep_ms'),
      concurrency: slot('concurrency'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
);

/** A child is part of the step that waits for it; what a call began, of that call. */
function tracedAs({ caller }: NewRun, family: { parent: RunRow; step: string } | undefined): string | null {
  if (caller?.trace) return keptTrace(caller.trace);
  return family ? traceOfChild(family.parent, family.step) : null;
}
