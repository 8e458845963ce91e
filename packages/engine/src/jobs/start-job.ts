import { isDeepStrictEqual } from 'node:util';
import type { JobStart, StartedJob } from '@nexus/core';
import { ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { type Found, findCall } from '../record/begun-before.ts';
import { historyOf } from '../record/claiming.ts';
import { createRun, newRunId, openParent } from '../record/creating.ts';
import { isWorthAnotherTry, readError } from '../record/errors.ts';
import { addOutsideEvent } from '../record/events.ts';
import { takeStepsBack } from '../record/families.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { hasEnded, type RunTransaction } from '../record/run-database.ts';
import { startKey } from '../record/start-key.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored, saveBlob, toStored } from '../record/values.ts';
import type { JobInput } from './job-run.ts';
import { toJob } from './job-view.ts';
import type { JobsEngine } from './jobs-engine.ts';
import { giveUpExpiredKey } from './on-record.ts';

const DAY_MS = 86_400_000;
const DEFAULT_TTL_MS = DAY_MS;
/** A client that asks for less could lose a result between two of its polls. */
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 7 * DAY_MS;

/** How long a call that was cancelled, or left, gets to end before the same is refused to be made beside it. */
const ENDING_MS = 5_000;

/** @throws {ToolError} NEXUS_CONFLICT when the key stands for a call with other arguments */
export async function startJob(engine: JobsEngine, job: JobStart): Promise<StartedJob> {
  const { on, worker } = engine;
  const owner = await worker.join();
  const { tool, origin, arguments: args, sessionId, user, roots, parent, mayRunTwice, isUnderWay } = job;
  const call = { tool, origin, arguments: args, sessionId, user, roots, parent };
  const input: JobInput = { ...call, mayRunTwice, isUnderWay };
  const own = job.idempotencyKey === undefined ? undefined : keyOf(job, job.idempotencyKey);
  const keepMs = Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, Math.round(job.ttlMs ?? DEFAULT_TTL_MS)));
  const caller = { session: { id: sessionId }, user, run: parent, trace: job.trace };
  if (own !== undefined) await giveUpExpiredKey(on, own);
  const isSame = (row: RunRow) => isSameCall(engine, row, job);
  const found = own === undefined ? undefined : await findCall(on, { key: own, run: parent, isSame });
  const key = found?.key;
  for (;;) {
    const id = newRunId(on.ground, 'job');
    const run = { id, kind: JOB_KIND, version: 1, title: tool, input, caller, key, keepMs, owner };
    const row = await createRun(on, run);
    if (row) {
      engine.liveCalls.set(row.id, job.run);
      worker.begin(row, undefined);
      return { job: await toJob(row, worker.isThere), isNew: true };
    }
    const earlier = await findByKey(engine, key ?? '');
    if (!earlier) continue; // it was forgotten between the two queries
    await assertSameArguments(engine, earlier, job);
    if (!(await mayBeginAgain(engine, earlier, { mayRunTwice, isEarlier: found?.isEarlier === true }))) {
      return { job: await toJob(earlier, worker.isThere), isNew: false };
    }
    if (!(await worker.isRidOf(earlier.id, ENDING_MS))) {
      if (await hasChanged(engine, earlier)) continue; // the same call, made at the same time, has it by now
      throw stillEnding(job);
    }
    const again = await takeAgain(engine, earlier, { owner, keepMs, input });
    if (!again) continue; // another server was faster
    engine.liveCalls.set(again.id, job.run);
    worker.begin(again, undefined, await historyOf(on.db, again.id));
    return { job: await toJob(again, worker.isThere), isNew: true };
  }
}

/** A key is its user's own: nobody gets the answer of another's call by it. */
function keyOf({ tool, user }: JobStart, key: string): string {
  return startKey([JOB_KIND, tool], key, user);
}

function findByKey({ on }: JobsEngine, key: string): Promise<RunRow | undefined> {
  return on.db.selectFrom('runs_runs').selectAll().where('start_key', '=', key).executeTakeFirst();
}

async function hasChanged({ on }: JobsEngine, { id, status, epoch }: RunRow): Promise<boolean> {
  const same = on.db.selectFrom('runs_runs').select('id').where('id', '=', id);
  return !(await same.where('status', '=', status).where('epoch', '=', epoch).executeTakeFirst());
}

async function isSameCall({ on }: JobsEngine, earlier: RunRow, job: JobStart): Promise<boolean> {
  const then = (await fromStored(on.db, earlier.id, earlier.input)) as JobInput;
  const now: unknown = JSON.parse(JSON.stringify(job.arguments));
  return isDeepStrictEqual(then.arguments, now);
}

async function assertSameArguments(engine: JobsEngine, earlier: RunRow, job: JobStart): Promise<void> {
  if (await isSameCall(engine, earlier, job)) return;
  const text = `idempotencyKey "${job.idempotencyKey}" stands for an earlier call of ${job.tool} with other arguments. Use a new key for a new call.`;
  throw new ToolError('NEXUS_CONFLICT', text);
}

function stillEnding({ tool, idempotencyKey }: JobStart): ToolError {
  const text = `The call of ${tool} that was made before under idempotencyKey "${idempotencyKey}" is not to go on, and something of it is still under way. Make it again in a while.`;
  return new ToolError('NEXUS_UNAVAILABLE', text);
}

/**
 * A repeated call runs again where the first left no outcome: its server died, it was cancelled, it failed as a
 * retry may mend, or its budget was spent. Where doing it twice could do harm, only a failure of the ground counts.
 */
async function mayBeginAgain(
  { worker }: JobsEngine,
  row: RunRow,
  { mayRunTwice, isEarlier }: Pick<JobStart, 'mayRunTwice'> & Pick<Found, 'isEarlier'>,
): Promise<boolean> {
  if (!hasEnded(row.status)) return row.owner === null || !(await worker.isThere(row.owner));
  if (row.status === 'cancelled') return true;
  // The step that had begun it is done again on purpose.
  if (isEarlier) return row.status === 'failed';
  const code = readError(row.error)?.code;
  // What paused at its cap has not ended: once that is raised, the same call finds how far it came.
  if (mayRunTwice && (isWorthAnotherTry(row) || code === 'NEXUS_BUDGET_EXCEEDED')) return true;
  return OF_THE_GROUND.has(code);
}

/** What ends a call through no fault of its own, before anybody could know what became of it. */
const OF_THE_GROUND: ReadonlySet<string | undefined> = new Set([
  'NEXUS_OUTCOME_UNKNOWN',
  'NEXUS_SHUTTING_DOWN',
  'NEXUS_STORE_UNAVAILABLE',
]);

/** @returns undefined where the run has changed since it was read */
function takeAgain(
  { on }: JobsEngine,
  row: RunRow,
  { owner, keepMs, input }: { owner: string; keepMs: number; input: JobInput },
): Promise<RunRow | undefined> {
  const { now } = on.store;
  return on.write(async (trx, isAgain) => {
    // It is the child of whoever asks now; the run that asked before may be over.
    const parent = input.parent && (await openParent(trx, on, { id: input.parent.id, owner }));
    const rootId = parent?.root_id ?? row.id;
    const stored = toStored(input);
    await saveBlob(trx, row.id, stored);
    const again = await trx
      .updateTable('runs_runs')
      .set({
        status: 'running',
        parent_id: parent?.id ?? null,
        parent_step: input.parent?.step ?? null,
        root_id: rootId,
        input: stored.text,
        owner,
        epoch: sql`epoch + 1`,
        wake_at: null,
        crashes: 0,
        message: null,
        error: null,
        ended_at: null,
        read_at: null,
        told_at: null,
        updated_at: now,
        keep_ms: sql`${now} - created_at + ${keepMs}`,
      })
      .where('id', '=', row.id)
      .where('status', '=', row.status)
      .where('epoch', '=', row.epoch)
      .returningAll()
      .executeTakeFirst();
    if (!again) return isAgain ? findTaken(trx, row, owner) : undefined;
    const gone = await trx
      .deleteFrom('runs_steps')
      .where('run_id', '=', row.id)
      .returning('status')
      .execute();
    const done = gone.filter((step) => step.status === 'completed').length;
    if (row.root_id === rootId && done > 0) await takeStepsBack(trx, rootId, done);
    await addOutsideEvent(trx, on, row.id, { type: 'run.restarted' });
    return again;
  });
}

/** Whether this very write has taken it, and its answer was lost. */
function findTaken(trx: RunTransaction, { id, epoch }: RunRow, owner: string): Promise<RunRow | undefined> {
  return trx
    .selectFrom('runs_runs')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('epoch', '=', epoch + 1)
    .where('status', '=', 'running')
    .executeTakeFirst();
}
