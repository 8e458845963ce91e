import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { ID_SORTS, type IdFault, type IdSort, idMeant, startOfId } from '@nexus/primitives';
import { sql } from 'kysely';
import type { RunDatabase } from '../record/run-database.ts';

/** More than are told, so that it is known that there are more. */
const LOOKED_AT = 7;

/**
 * The id of the run, or of the job where no run is called so, that an unambiguous beginning of it names, with or without what all ids begin with. For the
 * server's own user alone: whoever else knows less than the whole id knows no run.
 * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_CONFLICT
 */
export function runByPrefix(run: RunDatabase, written: string): Promise<string> {
  if (/^\s*job(?:_|$)/i.test(written)) return idOfSort(run, written, ID_SORTS.job);
  return idOfSort(run, written, ID_SORTS.run).catch((error: unknown) => {
    const isNone = isToolError(error) && error.code === 'NEXUS_NOT_FOUND';
    if (!isNone || /^\s*run(?:_|$)/i.test(written)) throw error;
    // Of a bare beginning nobody has said what it is of; where it names no job either, it is no run's.
    return idOfSort(run, written, ID_SORTS.job).catch((other: unknown) => {
      throw isToolError(other) && other.code === 'NEXUS_CONFLICT' ? other : error;
    });
  });
}

async function idOfSort({ db }: RunDatabase, written: string, sort: IdSort): Promise<string> {
  const read = startOfId(written, sort);
  if ('fault' in read) throw refusalOf(read);
  // Whatever else was written is no part of a pattern.
  const pattern = `${sort.begins.replace('_', '\\_')}${read.start}%`;
  const found = /^[0-9a-z]+$/.test(read.start)
    ? await db
        .selectFrom('runs_runs')
        .select('id')
        .where(sql<boolean>`id like ${pattern} escape '\\'`)
        .orderBy('created_at', 'desc')
        .limit(LOOKED_AT)
        .execute()
    : [];
  const meant = idMeant(
    written,
    found.map(({ id }) => id),
    sort,
  );
  if ('fault' in meant) throw refusalOf(meant);
  return meant.id;
}

function refusalOf({ why, fault }: IdFault): ToolError {
  return new ToolError(why === 'several' ? 'NEXUS_CONFLICT' : 'NEXUS_NOT_FOUND', fault);
}
