import type { Run, RunQuery } from '@nexus/plugin-sdk';
import { JOB_KIND } from '../jobs/job-run.ts';
import { ENDED, type RunDatabase } from '../record/run-database.ts';
import { type IsThere, toRun } from '../views/run-view.ts';

/** How many open runs are looked at for what their families do now. */
const MAX_OPEN = 500;

export async function listRuns(
  on: RunDatabase,
  { status, kind, user, limit }: RunQuery,
  isThere: IsThere,
): Promise<{ runs: readonly Run[]; total: number }> {
  let query = on.db.selectFrom('runs_runs').where('parent_id', 'is', null);
  query = kind === undefined ? query.where('kind', '!=', JOB_KIND) : query.where('kind', '=', kind);
  if (user !== undefined) query = query.where('user_id', '=', user);
  const newestFirst = query.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  const isOfRow = status === undefined || ENDED.some((each) => each === status);
  if (isOfRow) {
    const asked = status === undefined ? newestFirst : newestFirst.where('status', '=', status);
    const counted = status === undefined ? query : query.where('status', '=', status);
    const rows = await asked.limit(limit).execute();
    const { total } = await counted
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { runs: await Promise.all(rows.map((row) => toRun(on, row, isThere))), total: Number(total) };
  }
  // What an open run does now is a matter of its family too.
  const open = await newestFirst.where('status', 'not in', ENDED).limit(MAX_OPEN).execute();
  const shown = await Promise.all(open.map((row) => toRun(on, row, isThere)));
  const found = shown.filter((run) => run.status === status);
  return { runs: found.slice(0, limit), total: found.length };
}
