import { invalidParams } from '@nexus/core';
import type { Job } from '@nexus/plugin-sdk';
import type { RunRow } from '../record/tables.ts';
import { toJobNow } from './job-view.ts';
import type { JobsEngine } from './jobs-engine.ts';
import { onRecord } from './on-record.ts';

const PAGE_SIZE = 50;

/**
 * One page of a session's jobs, newest first.
 * @throws {ProtocolError} -32602 for a cursor that no page gave
 */
export async function jobPage(
  engine: JobsEngine,
  sessionId: string,
  cursor: string | undefined,
): Promise<{ jobs: readonly Job[]; nextCursor?: string }> {
  const { on } = engine;
  let query = on.db
    .selectFrom('runs_runs')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where(onRecord(on));
  if (cursor !== undefined) {
    const { createdAt, id } = readCursor(cursor);
    query = query.where(({ eb, or, and }) =>
      or([eb('created_at', '<', createdAt), and([eb('created_at', '=', createdAt), eb('id', '<', id)])]),
    );
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined;
  const jobs = await Promise.all(rows.slice(0, PAGE_SIZE).map((row) => toJobNow(engine, row)));
  return last ? { jobs, nextCursor: writeCursor(last) } : { jobs };
}

function writeCursor({ created_at, id }: RunRow): string {
  return Buffer.from(`${created_at} ${id}`).toString('base64url');
}

function readCursor(cursor: string): { createdAt: number; id: string } {
  const match = /^(\d{1,15}) (job_[0-9a-f]{32})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match?.[1] || !match[2]) throw invalidParams('Invalid cursor; start again without one');
  return { createdAt: Number(match[1]), id: match[2] };
}
