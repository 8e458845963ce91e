import { randomBytes } from 'node:crypto';
import { type RunCaller, type Spend, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { addEvent } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import { newStep } from './steps.ts';
import type { RunRow } from './tables.ts';
import { saveBlob, sizeOf, toStored } from './values.ts';

export interface NewRun {
  readonly id?: string;
  readonly kind: string;
  readonly version: number;
  readonly title: string;
  readonly input: unknown;
  readonly definition?: unknown;
  readonly caller?: RunCaller | undefined;
  readonly key?: string | undefined;
  readonly cap?: Partial<Spend> | undefined;
  readonly timeoutMs?: number | undefined;
  readonly keepMs: number;
  readonly rerunOf?: string | undefined;
  /** The cancelled run whose key becomes this one's. */
  readonly inPlaceOf?: string | undefined;
  /** The process that runs it from the start; without one it is queued. */
  readonly owner: string | undefined;
}

/** 128 random bits under a readable prefix, which tells a model what kind of id it holds. */
export function newRunId(prefix = 'run'): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`;
}

const MICROS = 1_000_000;

export function toMicros(usd: number): number {
  return Math.ceil(usd * MICROS - 1e-6);
}

export function toUsd(micros: number): number {
  return micros / MICROS;
}

/**
 * A run from outside, or a child of the run from whose step its caller's call comes.
 * @param also what is to be on record with it
 * @returns undefined where the key is taken
 * @throws {ToolError} NEXUS_CANCELLED where the parent is over
 */
export function createRun(
  on: RunDatabase,
  run: NewRun,
  also?: (trx: RunTransaction, row: RunRow) => Promise<void>,
): Promise<RunRow | undefined> {
  return on.db.transaction().execute(async (trx) => {
    const of = run.caller?.run;
    const family = of && { parent: await openParent(trx, on, of.id), step: of.step };
    if (run.inPlaceOf !== undefined && !(await giveUpKey(trx, run.inPlaceOf, run.key))) return undefined;
    const row = await insertRun(trx, on, run, family);
    if (row) await also?.(trx, row);
    return row;
  });
}

/** Locked until the child is there: an end of the parent comes before it, or ends the child too. */
export async function openParent(trx: RunTransaction, on: RunDatabase, id: string): Promise<RunRow> {
  const parent = await trx
    .updateTable('runs_runs')
    .set({ updated_at: on.store.now })
    .where('id', '=', id)
    .where('status', 'not in', ENDED)
    .returningAll()
    .executeTakeFirst();
  if (parent) return parent;
  throw new ToolError('NEXUS_CANCELLED', `The run ${id} that this call comes from is over.`);
}

/** @returns whether it was there to be given: of two that begin anew, one does */
async function giveUpKey(trx: RunTransaction, id: string, key: string | undefined): Promise<boolean> {
  const given = await trx
    .updateTable('runs_runs')
    .set({ start_key: null })
    .where('id', '=', id)
    .where('start_key', '=', key ?? null)
    .where('status', '=', 'cancelled')
    .returning('id')
    .executeTakeFirst();
  return given !== undefined;
}

/** A child and the parent's step that it does are one write, so that neither is ever without the other. */
export function createChild(
  on: RunDatabase,
  token: RunToken,
  {
    run,
    step,
  }: { run: NewRun & { readonly id: string }; step: { name: string; title: string; seq: number } },
): OwnerChange<RunRow> {
  return {
    async work(trx) {
      const parent = await trx
        .selectFrom('runs_runs')
        .selectAll()
        .where('id', '=', token.runId)
        .executeTakeFirstOrThrow();
      const made = await insertRun(trx, on, run, { parent, step: step.name });
      // Its id was made for this write: one that is there is this write's, whose answer was lost.
      const child =
        made ??
        (await trx.selectFrom('runs_runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow());
      await trx
        .insertInto('runs_steps')
        .values({
          ...newStep(token.runId, { ...step, kind: 'child' }),
          status: 'waiting',
          child_id: child.id,
          started_at: on.store.now as never,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await addEvent(trx, on, token.runId, {
        seq: step.seq,
        type: 'step.started',
        step: step.name,
        attempt: 1,
        data: { childId: child.id, title: step.title },
      });
      return child;
    },
  };
}

export async function insertRun(
  trx: RunTransaction,
  on: RunDatabase,
  run: NewRun,
  family: { parent: RunRow; step: string } | undefined,
): Promise<RunRow | undefined> {
  const id = run.id ?? newRunId();
  const { now } = on.store;
  const input = toStored(run.input);
  const definition = toStored(run.definition);
  const parent = family?.parent;
  const row = await trx
    .insertInto('runs_runs')
    .values({
      id,
      root_id: parent?.root_id ?? id,
      parent_id: parent?.id ?? null,
      parent_step: family?.step ?? null,
      kind: run.kind,
      version: run.version,
      title: run.title,
      session_id: run.caller?.session.id ?? parent?.session_id ?? null,
      user_id: run.caller?.user ?? parent?.user_id ?? null,
      start_key: run.key ?? null,
      input: input.text,
      definition: definition.text,
      rerun_of: run.rerunOf ?? null,
      status: run.owner === undefined ? 'queued' : 'running',
      message: null,
      owner: run.owner ?? null,
      epoch: run.owner === undefined ? 0 : 1,
      crashes: 0,
      wake_at: run.owner === undefined ? now : null,
      deadline_at: run.timeoutMs === undefined ? null : sql<number>`${now} + ${Math.round(run.timeoutMs)}`,
      output: null,
      error: null,
      cap_tokens: run.cap?.tokens ?? null,
      cap_micros: run.cap?.costUsd === undefined ? null : toMicros(run.cap.costUsd),
      created_at: now,
      updated_at: now,
      ended_at: null,
      bytes: sizeOf(input) + sizeOf(definition),
      keep_ms: run.keepMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await saveBlob(trx, id, input);
  await saveBlob(trx, id, definition);
  await addEvent(trx, on, id, { seq: 1, type: 'run.created' });
  return row;
}
