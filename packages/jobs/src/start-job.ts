import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JobStart, StartedJob } from '@nexus/core';
import { ToolError } from '@nexus/plugin-sdk';
import { changeUnfinished, type Database, forgetExpired } from './database.ts';
import { codeOf } from './ending.ts';
import { endingOfRow, isUnfinished, toJob } from './job-view.ts';
import type { RunningJobs } from './running-jobs.ts';
import { livingServers, type ServerLease } from './server-lease.ts';
import type { JobRow } from './tables.ts';

const DAY_MS = 86_400_000;
const DEFAULT_TTL_MS = DAY_MS;
/** A client that asks for less could lose a result between two of its polls. */
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 7 * DAY_MS;

interface Workplace {
  readonly db: Database;
  readonly lease: ServerLease;
  readonly running: RunningJobs;
}

/** @throws {ToolError} NEXUS_CONFLICT when the key stands for a call with other arguments */
export async function startJob(workplace: Workplace, job: JobStart): Promise<StartedJob> {
  const { db, lease, running } = workplace;
  await forgetExpired(db);
  await lease.hold(db);
  for (;;) {
    const row = newRow(job, lease.serverId);
    const inserted = await db
      .insertInto('jobs_jobs')
      .values(row)
      .onConflict((conflict) => conflict.columns(['tool', 'idempotency_key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) {
      running.begin({ id: row.id, mayRunTwice: job.mayRunTwice }, job.run);
      return { job: toJob(row), isNew: true };
    }
    const earlier = await earlierRow(db, job);
    if (!earlier) continue; // it expired between the two queries
    assertSameArguments(earlier, job);
    const again = await takeAgain(workplace, earlier);
    if (again === undefined) continue; // another server was faster
    if (again) running.begin({ id: earlier.id, mayRunTwice: job.mayRunTwice }, job.run);
    return { job: toJob(again ? { ...earlier, ...again } : earlier), isNew: again !== false };
  }
}

/** 128 random bits under a readable prefix, which tells a model what kind of id it holds. */
function newRow(job: JobStart, serverId: string): JobRow {
  const now = Date.now();
  const ttlMs = Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, Math.round(job.ttlMs ?? DEFAULT_TTL_MS)));
  return {
    id: `job_${randomBytes(16).toString('hex')}`,
    tool: job.tool,
    arguments: JSON.stringify(job.arguments),
    session_id: job.sessionId,
    idempotency_key: job.idempotencyKey ?? null,
    may_run_twice: job.mayRunTwice ? 1 : 0,
    status: 'working',
    status_message: null,
    ending: null,
    server_id: serverId,
    created_at: now,
    updated_at: now,
    expires_at: now + ttlMs,
  };
}

function earlierRow(db: Database, { tool, idempotencyKey = '' }: JobStart): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs_jobs')
    .selectAll()
    .where('tool', '=', tool)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
}

function assertSameArguments(earlier: JobRow, job: JobStart): void {
  const now: unknown = JSON.parse(JSON.stringify(job.arguments));
  if (isDeepStrictEqual(JSON.parse(earlier.arguments), now)) return;
  const text = `idempotencyKey "${job.idempotencyKey}" stands for an earlier call of ${job.tool} with other arguments. Use a new key for a new call.`;
  throw new ToolError('NEXUS_CONFLICT', text);
}

/**
 * A repeated call runs again where the first left no outcome: its server died, or it was cancelled.
 * @returns the columns that changed; false where the first stands; undefined where the row has changed since
 */
async function takeAgain(
  { db, lease }: Workplace,
  row: JobRow,
): Promise<Partial<JobRow> | false | undefined> {
  const again = { status: 'working', status_message: null, ending: null, server_id: lease.serverId } as const;
  if (isUnfinished(row)) {
    const isHeld = row.server_id !== null && (await livingServers(db)).has(row.server_id);
    if (isHeld || row.server_id === lease.serverId) return false;
    return (await changeUnfinished(db, row, again)) ? again : undefined;
  }
  const ending = endingOfRow(row);
  const hasOutcome = row.status !== 'cancelled' && ending && codeOf(ending) !== 'NEXUS_OUTCOME_UNKNOWN';
  if (hasOutcome) return false;
  const now = Date.now();
  const changed = await db
    .updateTable('jobs_jobs')
    .set({ ...again, updated_at: now, expires_at: now + (row.expires_at - row.created_at) })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .where('updated_at', '=', row.updated_at)
    .returning('id')
    .executeTakeFirst();
  return changed ? again : undefined;
}
