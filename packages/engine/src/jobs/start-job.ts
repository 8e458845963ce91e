import { isDeepStrictEqual } from 'node:util';
import type { JobStart, StartedJob } from '@nexus/core';
import { ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { historyOf } from '../record/claiming.ts';
import { createRun, newRunId, openParent } from '../record/creating.ts';
import { readError } from '../record/errors.ts';
import { addOutsideEvent } from '../record/events.ts';
import { hasEnded } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored, saveBlob, toStored } from '../record/values.ts';
import { JOB_KIND, type JobInput } from './job-run.ts';
import { toJob } from './job-view.ts';
import type { JobsEngine } from './jobs-engine.ts';
import { forgetExpired } from './on-record.ts';

const DAY_MS = 86_400_000;
const DEFAULT_TTL_MS = DAY_MS;
/** A client that asks for less could lose a result between two of its polls. */
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 7 * DAY_MS;

/** How long a call that was cancelled gets to end before the same is refused to be made beside it. */
const ENDING_MS = 5_000;

/** @throws {ToolError} NEXUS_CONFLICT when the key stands for a call with other arguments */
export async function startJob(engine: JobsEngine, job: JobStart): Promise<StartedJob> {
  const { on, worker } = engine;
  await forgetExpired(on);
  const owner = await worker.join();
  const { tool, arguments: args, sessionId, user, parent, mayRunTwice } = job;
  const input: JobInput = { tool, arguments: args, sessionId, user, parent, mayRunTwice };
  const key = job.idempotencyKey === undefined ? undefined : keyOf(job, job.idempotencyKey);
  const keepMs = Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, Math.round(job.ttlMs ?? DEFAULT_TTL_MS)));
  const caller = { session: { id: sessionId }, user, run: parent };
  for (;;) {
    const id = newRunId('job');
    const run = { id, kind: JOB_KIND, version: 1, title: tool, input, caller, key, keepMs, owner };
    const row = await createRun(on, run);
    if (row) {
      worker.begin(row, job.run);
      return { job: await toJob(row, worker.isThere), isNew: true };
    }
    const earlier = await findByKey(engine, key ?? '');
    if (!earlier) continue; // it was forgotten between the two queries
    await assertSameArguments(engine, earlier, job);
    if (!(await mayBeginAgain(engine, earlier))) {
      return { job: await toJob(earlier, worker.isThere), isNew: false };
    }
    if (!(await worker.isRidOf(earlier.id, ENDING_MS))) throw stillEnding(job);
    const again = await takeAgain(engine, earlier, { owner, keepMs, input });
    if (!again) continue; // another server was faster
    worker.begin(again, job.run, await historyOf(on.db, again.id));
    return { job: await toJob(again, worker.isThere), isNew: true };
  }
}

/** A key is its user's own: nobody gets the answer of another's call by it. */
function keyOf({ tool, user }: JobStart, key: string): string {
  return [JOB_KIND, tool, key, ...(user === undefined ? [] : [user])].join('\n');
}

function findByKey({ on }: JobsEngine, key: string): Promise<RunRow | undefined> {
  return on.db.selectFrom('runs_runs').selectAll().where('start_key', '=', key).executeTakeFirst();
}

async function assertSameArguments({ on }: JobsEngine, earlier: RunRow, job: JobStart): Promise<void> {
  const then = (await fromStored(on.db, earlier.id, earlier.input)) as JobInput;
  const now: unknown = JSON.parse(JSON.stringify(job.arguments));
  if (isDeepStrictEqual(then.arguments, now)) return;
  const text = `idempotencyKey "${job.idempotencyKey}" stands for an earlier call of ${job.tool} with other arguments. Use a new key for a new call.`;
  throw new ToolError('NEXUS_CONFLICT', text);
}

function stillEnding({ tool, idempotencyKey }: JobStart): ToolError {
  const text = `The call of ${tool} under idempotencyKey "${idempotencyKey}" was cancelled and still does something. Make it again in a while.`;
  return new ToolError('NEXUS_CONFLICT', text);
}

/** A repeated call runs again where the first left no outcome: its server died, or it was cancelled. */
async function mayBeginAgain({ worker }: JobsEngine, row: RunRow): Promise<boolean> {
  if (!hasEnded(row.status)) return row.owner === null || !(await worker.isThere(row.owner));
  return row.status === 'cancelled' || readError(row.error)?.code === 'NEXUS_OUTCOME_UNKNOWN';
}

/** @returns undefined where the run has changed since it was read */
function takeAgain(
  { on }: JobsEngine,
  row: RunRow,
  { owner, keepMs, input }: { owner: string; keepMs: number; input: JobInput },
): Promise<RunRow | undefined> {
  const { now } = on.store;
  return on.db.transaction().execute(async (trx) => {
    // It is the child of whoever asks now; the run that asked before may be over.
    const parent = input.parent && (await openParent(trx, on, input.parent.id));
    const stored = toStored(input);
    await saveBlob(trx, row.id, stored);
    const again = await trx
      .updateTable('runs_runs')
      .set({
        status: 'running',
        parent_id: parent?.id ?? null,
        parent_step: input.parent?.step ?? null,
        root_id: parent?.root_id ?? row.id,
        input: stored.text,
        owner,
        epoch: sql`epoch + 1`,
        wake_at: null,
        crashes: 0,
        message: null,
        error: null,
        ended_at: null,
        updated_at: now,
        keep_ms: sql`${now} - created_at + ${keepMs}`,
      })
      .where('id', '=', row.id)
      .where('status', '=', row.status)
      .where('epoch', '=', row.epoch)
      .returningAll()
      .executeTakeFirst();
    if (!again) return undefined;
    await trx.deleteFrom('runs_steps').where('run_id', '=', row.id).execute();
    await addOutsideEvent(trx, on, row.id, { type: 'run.restarted' });
    return again;
  });
}
