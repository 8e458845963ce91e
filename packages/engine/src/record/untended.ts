import { sql } from 'kysely';
import { overdueRuns } from './ending.ts';
import { crashedFamilies } from './families.ts';
import { prepared } from './prepared.ts';
import type { RunDatabase } from './run-database.ts';
import { outrun, turnsOfEnded } from './turns.ts';

/** Whether anything is to be ended that no process has ended, or a turn of a run that is over. By one statement: each look makes it. */
export async function isUntended(on: RunDatabase): Promise<boolean> {
  const { rows } = await untended(on.db, on, {});
  return rows.some((row) => Boolean((row as { is_untended: unknown }).is_untended));
}

const untended = prepared((db, _, on) => {
  const parts = [crashedFamilies(db, on), overdueRuns(db, on), turnsOfEnded(db), outrun(db)];
  const any = sql.join(
    parts.map((part) => sql`exists ${part}`),
    sql` or `,
  );
  return { compile: () => sql`select ${any} as "is_untended"`.compile(db) };
});
