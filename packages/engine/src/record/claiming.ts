import { sql } from 'kysely';
import { type Due, dueElsewhere, dueInHand, dueRuns } from './due.ts';
import { isJobId } from './job-kind.ts';
import { closeInterrupted } from './leaving.ts';
import { lockedRoom, projectRoom } from './room.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { RunRow, StepRow } from './tables.ts';

export interface ClaimRequest extends Due {
  /** Asked once there is something to claim. */
  owner(): Promise<string>;
  /** Families that there is room for beside those in hand, whose runs are taken whatever the room. */
  readonly room: { readonly runs: number; readonly jobs: number };
  /** How many runs of the project may go on at a time, wherever. */
  readonly mostOfProject: number;
}

/** A run with what is on record of it. */
export interface ClaimedRun {
  readonly run: RunRow;
  readonly steps: readonly StepRow[];
  /** The last number given in the run. */
  readonly seq: number;
  /** Processes have died with its family, which has got no further since. */
  readonly isSuspect?: boolean | undefined;
}

/** What was taken, and whether there was more that could be. */
export interface Claimed {
  readonly runs: readonly ClaimedRun[];
  readonly isCut: boolean;
  /** So many runs of the project go on that no other may. */
  readonly isProjectFull: boolean;
}

const NONE: Claimed = { runs: [], isCut: false, isProjectFull: false };

/** Takes families that nobody has and of which something is due, the longest due first: what is due of each, whole. */
export async function claimRuns(on: RunDatabase, request: ClaimRequest): Promise<Claimed> {
  const { kinds, only, room, mostOfProject } = request;
  if (kinds.length === 0 || only?.length === 0) return NONE;
  // What finds nothing writes nothing: on SQLite each write transaction waits for the disk.
  const mine = await dueInHand(on, request);
  const ofProject = await projectRoom(on, mostOfProject);
  const mostRuns = Math.min(room.runs, ofProject);
  const runsDue = await dueElsewhere(on, { ...request, isSuspect: false, ofJobs: false, most: mostRuns });
  const jobsDue = await dueElsewhere(on, { ...request, isSuspect: false, ofJobs: true, most: room.jobs });
  // One at a time whatever the room, so that the one that kills is found; not beyond what the project may.
  const suspects =
    request.suspect === undefined
      ? await dueElsewhere(on, {
          ...request,
          isSuspect: true,
          ofJobs: ofProject <= 0 ? true : undefined,
          most: 1,
        })
      : [];
  const fresh = [...runsDue, ...jobsDue];
  if (mine.length + fresh.length + suspects.length === 0) return { ...NONE, isProjectFull: ofProject <= 0 };
  const owner = await request.owner();
  let before: Claimed = NONE;
  return on.write(async (trx, isAgain) => {
    const held = isAgain ? await stillHeld(trx, before.runs) : [];
    const isCut = before.isCut || held.length < before.runs.length;
    if (held.length > 0) return { ...before, runs: held, isCut };
    const others = [...new Set([...fresh, ...suspects])];
    const unlimited = await lockFamilies(trx, on, others);
    const left = await lockedRoom(trx, on, mostOfProject);
    const free = within(unlimited, left);
    const families = [...new Set([...mine, ...free])];
    const runs: ClaimedRun[] = [];
    for (const taken of await takeDue(trx, on, { ...request, self: owner, owner, families })) {
      const run = await bind(trx, on, taken);
      await closeInterrupted(trx, on, run.id);
      const isSuspect = suspects.includes(run.root_id);
      runs.push({ run, ...(await historyOf(trx, run.id)), isSuspect });
    }
    const isFilled = runsDue.length === mostRuns || jobsDue.length === room.jobs;
    const taken = free.filter((rootId) => !isJobId(rootId)).length;
    before = { runs, isCut: isFilled || free.length < others.length, isProjectFull: left - taken <= 0 };
    return before;
  });
}

/** As many as the project has room for; jobs need none. */
function within(roots: readonly string[], room: number): string[] {
  let left = room;
  return roots.filter((rootId) => isJobId(rootId) || left-- > 0);
}

/**
 * Those that a claim has taken whose answer was lost, as they are: it may have been undone, and another call of this
 * process have taken one of them since, by the same name and number.
 */
async function stillHeld(trx: RunTransaction, claimed: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
  const held: ClaimedRun[] = [];
  for (const { run: taken, isSuspect } of claimed) {
    const { id, owner, epoch } = taken;
    const run = await trx
      .selectFrom('runs_runs')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('epoch', '=', epoch)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (run) held.push({ run, ...(await historyOf(trx, id)), isSuspect });
  }
  return held;
}

/** Of two processes that claim at once, one takes a family whole. @returns those that no other is at */
async function lockFamilies(trx: RunTransaction, { store }: RunDatabase, roots: string[]): Promise<string[]> {
  if (store.dialect !== 'postgres' || roots.length === 0) return roots;
  const locked = await trx
    .selectFrom('runs_runs')
    .select('id')
    .where('id', 'in', roots)
    .forUpdate()
    .skipLocked()
    .execute();
  return locked.map(({ id }) => id);
}

async function takeDue(
  trx: RunTransaction,
  on: RunDatabase,
  { owner, families, ...request }: Due & { owner: string; families: readonly string[] },
): Promise<RunRow[]> {
  if (families.length === 0) return [];
  const due = dueRuns(trx, on, { ...request, only: families });
  return trx
    .updateTable('runs_runs')
    .set({
      status: 'running',
      owner,
      epoch: sql`epoch + 1`,
      wake_at: null,
      error: null,
      updated_at: on.store.now,
    })
    .where('id', 'in', due.select('run.id'))
    .where('status', 'in', ['queued', 'waiting'])
    .returningAll()
    .execute();
}

/** A run of a kind that nobody knew where it was begun is bound to the machine that first goes on with it. */
async function bind(trx: RunTransaction, { home }: RunDatabase, run: RunRow): Promise<RunRow> {
  if (run.place || !home.isBound({ name: run.kind, version: run.version })) return run;
  const place = home.machine;
  await trx.updateTable('runs_runs').set({ place }).where('id', '=', run.id).execute();
  return { ...run, place };
}

export async function historyOf(
  db: RunTransaction,
  runId: string,
): Promise<{ steps: readonly StepRow[]; seq: number }> {
  const steps = await db.selectFrom('runs_steps').selectAll().where('run_id', '=', runId).execute();
  const { last } = await db
    .selectFrom('runs_events')
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { steps, seq: Number(last ?? 0) };
}
