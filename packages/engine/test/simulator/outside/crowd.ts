import { databaseTime } from '../database/site.ts';
import type { Tables } from '../database/tables.ts';
import { PROGRAM } from './kinds.ts';

/** Many runs at once, of which most only wait for their turn. */
export interface Crowd {
  readonly count: number;
  /** How long each does nothing but wait, once it has its turn. */
  readonly sleepMs: number;
  /** When people give up those that still wait for theirs. */
  readonly givenUpAtMs: number;
}

/** Runs that ended long before the world began, and what may be kept of all. */
export interface Elders {
  readonly count: number;
  readonly bytes: number;
  readonly retention: { readonly families: number } | { readonly bytes: number };
}

const HOUR_MS = 3_600_000;
const KEEP_MS = 30 * 24 * HOUR_MS;

const INSERT = `insert into runs_runs (id, root_id, kind, version, title, status, input, epoch, crashes, crash_steps,
  wake_at, created_at, updated_at, ended_at, bytes, keep_ms)
  values (?, ?, ?, ?, 'one of many', ?, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?)`;

/** They were begun while no server was there. */
export function queueCrowd(tables: Tables, { count, sleepMs }: Crowd): void {
  const at = databaseTime(0) - HOUR_MS;
  const input = JSON.stringify({ program: [{ act: 'sleep', ms: sleepMs }] });
  for (let n = 0; n < count; n += 1) {
    const id = `run_crowd${n}`;
    const { name, version } = PROGRAM;
    tables.put(INSERT, id, id, name, version, 'queued', input, at, at + n, at, null, 0, KEEP_MS);
  }
}

/** Those that nobody has begun yet. */
export function giveUpCrowd(tables: Tables, now: number): void {
  tables.put(
    "update runs_runs set status = 'cancelled', wake_at = null, ended_at = ? where id like 'run_crowd%' and epoch = 0",
    databaseTime(now),
  );
}

/** Each a second older than the next; the oldest of all, at number 0, has a child that has not ended. */
export function placeElders(tables: Tables, { count, bytes }: Elders): void {
  const { name, version } = PROGRAM;
  for (let n = 0; n < count; n += 1) {
    const id = elderId(n);
    const at = databaseTime(0) - 24 * HOUR_MS + n * 1_000;
    tables.put(INSERT, id, id, name, version, 'completed', null, null, at, at, at, bytes, KEEP_MS);
    tables.put("insert into runs_events (run_id, seq, type, at) values (?, 1, 'run.completed', ?)", id, at);
  }
  const at = databaseTime(0) - 24 * HOUR_MS;
  tables.put(
    INSERT,
    'run_child',
    elderId(0),
    name,
    version,
    'paused',
    null,
    null,
    at,
    at,
    null,
    bytes,
    KEEP_MS,
  );
}

const elderId = (n: number) => `run_elder${String(n).padStart(4, '0')}`;

/** @returns what is wrong with what a sweep has left of them */
export function eldersFault(tables: Tables, { count, retention }: Elders): string | undefined {
  const left = tables
    .look<{ id: string }>("select id from runs_runs where id like 'run_elder%' order by id")
    .map(({ id }) => id);
  if (left[0] !== elderId(0)) return 'a family of which a run has not ended is forgotten';
  const newest = Array.from({ length: left.length - 1 }, (_, at) => elderId(count - left.length + 1 + at));
  if (left.slice(1).join() !== newest.join()) return 'other ended runs than the oldest are forgotten';
  const [all] = tables.look<{ bytes: number }>('select sum(bytes) as bytes from runs_runs');
  const isTooMuch =
    'families' in retention
      ? countKin(tables) > retention.families
      : all !== undefined && all.bytes > retention.bytes;
  return isTooMuch && left.length > 1 ? 'more ended runs are kept than may be' : undefined;
}

/** @returns how many families there are, those that go on from one another counted as one */
function countKin(tables: Tables): number {
  const kinOf = new Map(
    tables
      .look<{ root_id: string }>('select distinct root_id from runs_runs')
      .map(({ root_id: id }) => [id, id]),
  );
  const links = tables.look<{ from: string; to: string }>(
    `select run.root_id as "from", next.root_id as "to"
     from runs_runs as run inner join runs_runs as next on next.id = run.goes_on_in`,
  );
  for (const { from, to } of links) {
    const [one, other] = [kinOf.get(from), kinOf.get(to)];
    for (const [root, kin] of kinOf) if (kin === one && other !== undefined) kinOf.set(root, other);
  }
  return new Set(kinOf.values()).size;
}
