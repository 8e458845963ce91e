import { ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import type { RunDatabase } from '../record/run-database.ts';

/** Below this a few characters would name a run by chance. */
const MIN_CHARS = 4;

/**
 * The id of the run that an unambiguous beginning of it names, with or without what all ids begin with. For the
 * server's own user alone: whoever else knows less than the whole id knows no run.
 * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_CONFLICT
 */
export async function runByPrefix({ db }: RunDatabase, written: string): Promise<string> {
  const [, kind = 'run', start = ''] =
    /^(?:(run|job)_)?([0-9a-f]*)(?:…|\.\.\.)?$/i.exec(written.trim()) ?? [];
  if (start.length < MIN_CHARS) throw start === '' ? notFound(written) : tooShort(written);
  const pattern = `${kind.toLowerCase()}\\_${start.toLowerCase()}%`;
  const found = await db
    .selectFrom('runs_runs')
    .select('id')
    .where(sql<boolean>`id like ${pattern} escape '\\'`)
    .orderBy('created_at', 'desc')
    .limit(5)
    .execute();
  const [only, other] = found;
  if (!only) throw notFound(written);
  if (!other) return only.id;
  const ids = found.map(({ id }) => id).join(', ');
  throw new ToolError('NEXUS_CONFLICT', `Several runs begin with ${written}: ${ids}. Write more of the id.`);
}

function notFound(written: string): ToolError {
  const what = /^job_/i.test(written) ? 'job' : 'run';
  // A command may have put before it what all ids begin with.
  const id = what === 'job' ? written.slice(0, 100).replace(/^job_(?![0-9a-f])/i, '') : written.slice(0, 100);
  const text = `No ${what} ${id}: it never was, or its time on record is over. \`nexus ${what}s\` lists them.`;
  return new ToolError('NEXUS_NOT_FOUND', text);
}

function tooShort(written: string): ToolError {
  const what = /^job_/i.test(written) ? 'job' : 'run';
  const text = `${written} is too little to name a ${what}: at least ${MIN_CHARS} digits of its id are needed. \`nexus ${what}s\` lists them.`;
  return new ToolError('NEXUS_NOT_FOUND', text);
}
