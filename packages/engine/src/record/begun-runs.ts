import { sql } from 'kysely';
import { newestOf } from './begun-before.ts';
import { CALL, JOB_KIND } from './job-kind.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import { startKey } from './start-key.ts';
import { stepKey } from './step-key.ts';
import type { RunRow } from './tables.ts';

/*
 * Which runs stand for a call, and which job for a run: those that the call has begun, and those that it has taken up,
 * each under the key of its step. They are nobody's children, since they may go on after it.
 */

interface Db {
  readonly db: RunDatabase['db'] | RunTransaction;
}

type Caller = Pick<RunRow, 'id' | 'user_id'>;

/**
 * The runs that stand for the call of a job, the first to be made first.
 * @param kinds of which it may have begun any, where they are known: these are found by an index
 */
export function runsOfJob(on: Db, job: Caller, kinds?: readonly string[]): Promise<RunRow[]> {
  return runsOfCall(on, { ...job, step: CALL }, kinds);
}

/** The same of whatever step. A key is its user's own: another's by the same words is not the step's. */
export async function runsOfCall(
  { db }: Db,
  { id, user_id: user, step }: Caller & { readonly step: string },
  kinds?: readonly string[],
): Promise<RunRow[]> {
  const key = stepKey(id, step);
  const keys = kinds?.map((kind) => startKey([kind], key, user ?? undefined));
  const taken = db
    .selectFrom('runs_taken_up')
    .select('run_id')
    .where(sql<boolean>`key like ${`%"${key}%,${escaped(JSON.stringify(user))}]`} escape '!'`);
  const rows = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where(({ and, eb, or }) =>
      or([
        keys
          ? eb('start_key', 'in', ['', ...keys])
          : and([eb('start_key', 'like', `%"${key}%`), eb('user_id', 'is not distinct from', user)]),
        eb('id', 'in', taken),
      ]),
    )
    .orderBy('created_at')
    .execute();
  const found = new Map<string, RunRow>();
  for (const row of rows) {
    const newest = row.goes_on_in === null ? row : await newestOf({ db }, row);
    found.set(newest.id, newest);
  }
  return [...found.values()];
}

/** The jobs that wait for a family, whose first run stands for their calls. */
export async function jobsOfRun({ db }: Db, { root_id: rootId }: Pick<RunRow, 'root_id'>): Promise<RunRow[]> {
  const root = await find(db, rootId);
  if (!root) return [];
  const taken: string[] = [];
  for (let run: RunRow | undefined = root; run; run = await before(db, run)) {
    const keys = await db.selectFrom('runs_taken_up').select('key').where('run_id', '=', run.id).execute();
    taken.push(...keys.map(({ key }) => key));
  }
  if (root.start_key === null && taken.length === 0) return [];
  const open = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('kind', '=', JOB_KIND)
    .where('status', 'not in', ENDED)
    .execute();
  return open.filter(({ id, user_id: user }) => {
    const own = `"${stepKey(id, CALL)}"`;
    if (root.user_id === user && root.start_key?.includes(own)) return true;
    return taken.some((key) => key.endsWith(`,${own},${JSON.stringify(user)}]`));
  });
}

/** The run that it goes on from. */
async function before(db: Db['db'], { id, rerun_of: of }: RunRow): Promise<RunRow | undefined> {
  const run = of === null ? undefined : await find(db, of);
  return run?.goes_on_in === id ? run : undefined;
}

function find(db: Db['db'], id: string): Promise<RunRow | undefined> {
  return db.selectFrom('runs_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** In a pattern it stands for itself alone. */
function escaped(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
