import type { RunStatus } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { familyTable } from '../record/family-of.ts';
import { hasEnded, type RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';

type OfFamily = Pick<RunRow, 'id' | 'kind' | 'version' | 'title'>;

/**
 * What a run waits for that does not come by itself, and what to do: it, or something below it, is due, nobody has it,
 * and this server could not go on with it. One that could is left to say so, by going on.
 * @param status as it is shown
 */
export async function missingPlugin(
  on: RunDatabase,
  row: OfFamily,
  status: RunStatus,
): Promise<string | undefined> {
  if (hasEnded(status) || status === 'paused') return undefined;
  const own = status === 'queued' ? on.home.lacks(row) : undefined;
  if (own !== undefined) return `It waits for ${remedy(own, row.id)}`;
  const { rows } = await sql<OfFamily>`${familyTable(row.id)}
    select run.id, run.kind, run.version, run.title from runs_runs run join family on run.id = family.id
    where run.status = 'queued' or (run.status = 'waiting' and run.wake_at <= ${on.store.now})`.execute(
    on.db,
  );
  for (const each of rows) {
    const lacked = on.home.lacks(each);
    if (lacked !== undefined)
      return `Its run "${each.title}" (${each.id}) waits for ${remedy(lacked, row.id)}`;
  }
  return undefined;
}

function remedy(lacked: string, runId: string): string {
  return `a server that has ${lacked}, which this one has not. Put it back into the config, and it goes on; or end it by \`nexus runs cancel ${runId}\`.`;
}
