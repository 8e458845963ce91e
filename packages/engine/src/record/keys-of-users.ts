import type { Kysely } from 'kysely';
import { JOB_KIND } from './job-kind.ts';
import { startKey } from './start-key.ts';

interface KeyedRow {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly user_id: string | null;
  readonly start_key: string;
}

/** What a key stands for, and what a run went on in; keys as they are written since, so that what runs is found. */
// biome-ignore lint/suspicious/noExplicitAny: as every migration
export async function keysOfUsers(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('runs_runs').addColumn('start_digest', 'text').execute();
  await db.schema.alterTable('runs_runs').addColumn('goes_on_in', 'text').execute();
  const rows: KeyedRow[] = await db
    .selectFrom('runs_runs')
    .select(['id', 'kind', 'title', 'user_id', 'start_key'])
    .where('start_key', 'is not', null)
    .execute();
  for (const row of rows) {
    await db
      .updateTable('runs_runs')
      .set({ start_key: rewritten(row) })
      .where('id', '=', row.id)
      .execute();
  }
}

/** It was kind, for a job its tool (which is its title), key, and the user where there is one, in lines. */
function rewritten({ kind, title, user_id: user, start_key: before }: KeyedRow): string {
  const of: [string, ...string[]] = kind === JOB_KIND ? [kind, title] : [kind];
  const rest = before.slice(of.join('\n').length + 1);
  const end = `\n${user}`;
  if (user === null || !rest.endsWith(end)) return startKey(of, rest);
  return startKey(of, rest.slice(0, -end.length), user);
}
