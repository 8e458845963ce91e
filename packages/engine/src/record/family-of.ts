import { sql } from 'kysely';
import type { RunTransaction } from './run-database.ts';

/** A run and all below it, as a table of their ids before a statement. */
export const familyTable = (runId: string) => sql`with recursive family(id) as (
  select cast(${runId} as text) union all
  select below.id from runs_runs below join family on below.parent_id = family.id)`;

/** A run and those that it waits for, with theirs. */
export async function familyOf({ db }: { readonly db: RunTransaction }, runId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${familyTable(runId)} select id from family`.execute(db);
  return rows.map(({ id }) => id);
}
