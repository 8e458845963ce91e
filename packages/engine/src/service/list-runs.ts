import type { Run, RunQuery } from '@nexus/plugin-sdk';
import { JOB_KIND } from '../record/job-kind.ts';
import { ENDED, type RunDatabase } from '../record/run-database.ts';
import { type IsThere, shownStatus, toRun } from '../views/run-view.ts';

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
  // What an open run does now is a matter of its family too: each is asked, and those that are shown are read.
  const open = await query
    .select(['id', 'status', 'owner'])
    .where('status', 'not in', ENDED)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const isThereOnce = once(isThere);
  const found: string[] = [];
  for (const row of open) if ((await shownStatus(on, row, isThereOnce)) === status) found.push(row.id);
  const shown = await newestFirst.where('id', 'in', ['', ...found.slice(0, limit)]).execute();
  return { runs: await Promise.all(shown.map((row) => toRun(on, row, isThere))), total: found.length };
}

/** Few processes have all that runs. */
function once(isThere: IsThere): IsThere {
  const known = new Map<string, Promise<boolean>>();
  return (owner) => {
    const answer = known.get(owner) ?? isThere(owner);
    known.set(owner, answer);
    return answer;
  };
}
