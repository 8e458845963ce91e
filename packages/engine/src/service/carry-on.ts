import type { Run } from '@nexus/plugin-sdk';
import { jobsOfRun, runsOfJob } from '../record/begun-runs.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { openQuestions } from '../record/questions.ts';
import { ENDED, hasEnded, type RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { familiesAhead } from '../record/turns.ts';
import { isoTime, toRun } from '../views/run-view.ts';
import { first } from '../waiting/wait-for-run.ts';
import type { Changes } from '../worker/changes.ts';
import type { Worker } from '../worker/worker.ts';

/** A wait that ends sooner is sat out by whoever carries a run. */
const SHORT_WAIT_MS = 60_000;
/** What seems to rest is looked at once more, when nothing has happened for so long: what is so at both is so. */
const SURE_MS = 500;
/** How often it is looked at though nobody has told of it: what is told can be lost, and a time comes by itself. */
const UNTOLD_MS = 5_000;

/** A run that a process went on with for as long as there was anything to do, and why there is no more. */
export interface Carried {
  readonly run: Run;
  /**
   * - `over`: it has ended
   * - `paused`: until somebody resumes it
   * - `asks`: for a person
   * - `waits`: for a time, or others of its key
   * - `elsewhere`: another process goes on with it
   * - `unknown`: it, or something that it waits for, goes on only where its plugin or its files are
   */
  readonly why: 'over' | 'paused' | 'asks' | 'waits' | 'elsewhere' | 'unknown';
  /** When what it waits for comes, ISO 8601, where that is known. */
  readonly until?: string;
}

/**
 * Goes on with a run here, with all that it waits for and that waits for it, until there is nothing to do.
 * For a process that does not stay.
 * @throws {ToolError} NEXUS_NOT_FOUND
 * @throws the signal's reason
 */
export type CarryOnById = (id: string, options: CarryOptions) => Promise<Carried>;
/** The same for all that was begun, or waited for, here and is not over. */
export type CarryAll = (options: CarryOptions) => Promise<readonly Carried[]>;

export interface CarryOptions {
  readonly signal: AbortSignal;
  /** Told at each look whether anything of the run is being done: what only rests, such as a paused one, is not gone on with. */
  readonly onLook?: (id: string, isDoing: boolean) => void;
}

type Rest = Omit<Carried, 'run'>;

interface CarryParts {
  readonly on: RunDatabase;
  readonly worker: Worker;
  readonly changes: Changes;
  readonly kindNames: readonly string[];
}

/** Goes on with a run, and with the job that waits for it: a job and what its call has begun are one unit. */
export async function carryOn(
  parts: CarryParts,
  run: RunRow,
  { signal, onLook }: CarryOptions,
): Promise<Carried> {
  const { on, worker, changes } = parts;
  const [job] = run.kind === JOB_KIND ? [run] : await jobsOfRun(on, run);
  let poke = () => {};
  let before: string | undefined;
  const stopListening = changes.onChange(() => poke());
  try {
    for (;;) {
      signal.throwIfAborted();
      const changed = new Promise<void>((resolve) => {
        poke = resolve;
      });
      const row = await openRow(on, run);
      const ofUnit = row || job === undefined ? row : await openRow(on, job);
      const rest = ofUnit ? await restOf(parts, await rootsOf(parts, run, job)) : OVER;
      onLook?.(run.id, rest === undefined);
      const now = rest && JSON.stringify(rest);
      const isSure = rest === OVER || now === before;
      if (rest && isSure) {
        const last = await on.db
          .selectFrom('runs_runs')
          .selectAll()
          .where('id', '=', run.id)
          .executeTakeFirst();
        // What its job waits for yet is not its.
        return { run: await toRun(on, last ?? run, worker.isThere), ...(row ? rest : OVER) };
      }
      const ms = rest ? SURE_MS : UNTOLD_MS;
      const why = await first(on.ground, changed, { ms, signal });
      before = why === 'time' ? now : undefined;
    }
  } finally {
    stopListening();
  }
}

const OVER: Rest = { why: 'over' };

function openRow({ db }: RunDatabase, { id }: RunRow): Promise<RunRow | undefined> {
  return db
    .selectFrom('runs_runs')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'not in', ENDED)
    .executeTakeFirst();
}

/** A job whose call has begun runs does nothing but to wait for them. */
async function rootsOf(
  { on, kindNames }: CarryParts,
  run: RunRow,
  job: RunRow | undefined,
): Promise<{ roots: string[]; only: string | undefined }> {
  if (!job) return { roots: [run.root_id], only: undefined };
  const begun = (await runsOfJob(on, job, kindNames)).filter(({ status }) => !hasEnded(status));
  const roots = begun.map(({ root_id }) => root_id);
  return { roots: [job.root_id, ...roots], only: roots.length === 0 ? undefined : job.root_id };
}

/** What there is to wait for of these families where nothing of them is to be done here; else undefined. */
async function restOf(
  parts: CarryParts,
  {
    roots,
    only,
    behind = [],
  }: { roots: readonly string[]; only?: string | undefined; behind?: readonly string[] },
): Promise<Rest | undefined> {
  const { on, worker } = parts;
  for (const root of roots) worker.follow(root);
  const members = await on.db
    .selectFrom('runs_runs')
    .selectAll()
    .where('root_id', 'in', roots)
    .where('status', 'not in', ENDED)
    .$if(only !== undefined, (query) => query.where('root_id', '!=', only ?? ''))
    .execute();
  if (members.length === 0) return undefined;
  if (roots.some((root) => root !== only && !worker.rests(root))) return undefined;
  const now = await on.store.readNow(on.db);
  for (const { id, status, owner, wake_at: wakeAt, ...kind } of members) {
    if (status === 'running' && owner !== null && !worker.isSelf(owner)) {
      return (await worker.isThere(owner)) ? { why: 'elsewhere' } : undefined;
    }
    if (status === 'running' && !worker.has(id)) return undefined;
    const isDue = wakeAt !== null && wakeAt <= now;
    if (!isDue || (status !== 'queued' && status !== 'waiting')) continue;
    const isHere = !kind.place || kind.place === on.home.machine;
    return isHere && on.home.lacks(kind) === undefined ? undefined : { why: 'unknown' };
  }
  if (members.some(({ status }) => status === 'paused')) return { why: 'paused' };
  const ids = members.map(({ id }) => id);
  if ((await openQuestions(on, ids)).length > 0) return { why: 'asks' };
  const at = await firstTime(on, members);
  if (at === undefined) {
    const seen = [...behind, ...roots];
    const ahead = (await familiesAhead(on, roots)).filter((rootId) => !seen.includes(rootId));
    const isDoing = ahead.length > 0 && !(await restOf(parts, { roots: ahead, behind: seen }));
    return isDoing ? undefined : { why: 'waits' };
  }
  return at - now < SHORT_WAIT_MS ? undefined : { why: 'waits', until: isoTime(at) };
}

async function firstTime({ db }: RunDatabase, members: readonly RunRow[]): Promise<number | undefined> {
  const ids = members.map(({ id }) => id);
  const { first: ofStep } = await db
    .selectFrom('runs_steps')
    .select(({ fn }) => fn.min<number | null>('wake_at').as('first'))
    .where('run_id', 'in', ['', ...ids])
    .where('end_seq', 'is', null)
    .executeTakeFirstOrThrow();
  const times = [ofStep, ...members.map(({ wake_at }) => wake_at)].flatMap((at) =>
    at === null ? [] : Number(at),
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
