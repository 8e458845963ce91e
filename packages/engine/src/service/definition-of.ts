import type { RunKindName } from '@nexus/plugin-sdk';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored } from '../record/values.ts';

/** What the nearest run of one of the kinds was begun with: the run itself, or one above it. */
export async function definitionOf(
  { db }: RunDatabase,
  runId: string,
  kinds: readonly RunKindName[],
): Promise<unknown> {
  for (let id: string | null = runId; id !== null; ) {
    const run: Found | undefined = await db
      .selectFrom('runs_runs')
      .select(['kind', 'definition', 'parent_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!run) return undefined;
    if (kinds.some(({ name }) => name === run.kind)) return fromStored(db, id, run.definition);
    id = run.parent_id;
  }
  return undefined;
}

type Found = Pick<RunRow, 'kind' | 'definition' | 'parent_id'>;
