import { type Concurrency, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { addOutsideEvent, tell } from './events.ts';
import { familyOf } from './family-of.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow, TurnRow } from './tables.ts';

/** Due at nothing, so that no process takes it. */
const WITHOUT_TURN = { status: 'queued', owner: null, epoch: 0, wake_at: null } as const;

/**
 * Gives a run that has just been made its turn among those of its key, or has it wait for one: it is then queued
 * and due at nothing. Those that a newer one is to take the place of are marked, and ended by `endOutrun`.
 * @returns the run as it stands then
 * @throws {ToolError} NEXUS_CONFLICT where it is refused
 */
export async function takeTurn(
  trx: RunTransaction,
  on: RunDatabase,
  run: RunRow,
  { key, limit = 1, onConflict = 'queue' }: Concurrency,
): Promise<RunRow> {
  await lockKey(trx, on, key);
  const before = await inLine(trx, key);
  const ahead = before.find(({ root_id }) => root_id === run.root_id);
  if (ahead) {
    const text = `A run of the key "${key}" was begun within run ${ahead.run_id}, which has that key: it would wait for itself.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { key, runId: ahead.run_id } });
  }
  const [oldest] = before;
  if (oldest && onConflict === 'refuse' && before.length >= limit) {
    const text = `Run ${oldest.run_id} of the key "${key}" is not over, and no more than ${limit} may be at a time. Wait for it or cancel it.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { key, limit, runId: oldest.run_id } });
  }
  const hasTurn = before.length < limit;
  const seq = sql<number>`(select coalesce(max(seq), 0) + 1 from runs_turns)`;
  await trx
    .insertInto('runs_turns')
    .values({ run_id: run.id, key, at_once: limit, seq, has_turn: hasTurn ? 1 : 0, is_outrun: 0 })
    .execute();
  if (onConflict === 'cancel-older') {
    const outrun = before.slice(0, Math.max(0, before.length - limit + 1)).map(({ run_id }) => run_id);
    await trx
      .updateTable('runs_turns')
      .set({ is_outrun: 1 })
      .where('run_id', 'in', ['', ...outrun])
      .execute();
  }
  if (hasTurn) return run;
  await addOutsideEvent(trx, on, run.id, { type: 'run.queued', data: { key } });
  const below = (await familyOf({ db: trx }, run.id)).filter((id) => id !== run.id);
  if (below.length > 0) {
    // Made in the place of those that ended with the run in whose place it comes: they wait with it.
    await trx.updateTable('runs_runs').set(WITHOUT_TURN).where('id', 'in', below).execute();
  }
  return trx
    .updateTable('runs_runs')
    .set(WITHOUT_TURN)
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Runs that are over have no turn any more: those next in line have theirs. To be asked last in a transaction, for
 * whoever has a key must not wait for a run that another has changed.
 */
export async function leaveTurns(
  trx: RunTransaction,
  on: RunDatabase,
  runIds: readonly string[],
): Promise<void> {
  const left = await trx.deleteFrom('runs_turns').where('run_id', 'in', runIds).returning('key').execute();
  for (const key of [...new Set(left.map((each) => each.key))].sort()) {
    await lockKey(trx, on, key);
    await callNext(trx, on, key);
  }
}

async function callNext(trx: RunTransaction, on: RunDatabase, key: string): Promise<void> {
  const line = await inLine(trx, key);
  let going = line.filter(({ has_turn }) => has_turn === 1).length;
  for (const next of line.filter(({ has_turn, is_outrun }) => has_turn === 0 && is_outrun === 0)) {
    if (going >= next.at_once) return;
    // One that is just being ended leaves the line by itself.
    const waiting = await trx
      .selectFrom('runs_runs')
      .select('id')
      .where('id', '=', next.run_id)
      .where('status', '=', 'queued')
      .$if(on.store.dialect === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst();
    if (!waiting) continue;
    await trx.updateTable('runs_turns').set({ has_turn: 1 }).where('run_id', '=', waiting.id).execute();
    const family = await familyOf({ db: trx }, waiting.id);
    await trx
      .updateTable('runs_runs')
      .set({ wake_at: on.store.now })
      .where('id', 'in', family)
      .where('status', '=', 'queued')
      .execute();
    await tell(trx, on, waiting.id);
    going += 1;
  }
}

/** Runs that a newer one of their key takes the place of, and that have not ended. */
export async function outrunRuns(on: RunDatabase): Promise<readonly string[]> {
  return (await outrun(on.db).execute()).map(({ run_id }) => run_id);
}

export const outrun = (db: RunTransaction) =>
  db.selectFrom('runs_turns').select('run_id').where('is_outrun', '=', 1);

/** The families, none of these, that have runs ahead of a waiting one of these in its line: its turn comes after them. */
export async function familiesAhead({ db }: RunDatabase, roots: readonly string[]): Promise<string[]> {
  if (roots.length === 0) return [];
  const rows = await waitingTurns(db)
    .select('other.root_id as rootId')
    .distinct()
    .where('own.root_id', 'in', roots)
    .where('other.root_id', 'not in', roots)
    .execute();
  return rows.map(({ rootId }) => rootId);
}

/** The first run that one without a turn waits for; undefined where it waits for none. */
export async function firstAhead(
  { db }: RunDatabase,
  runId: string,
): Promise<Pick<RunRow, 'id' | 'status'> | undefined> {
  return waitingTurns(db)
    .select(['other.id', 'other.status'])
    .where('own.id', '=', runId)
    .orderBy('ahead.seq')
    .executeTakeFirst();
}

function waitingTurns(db: RunTransaction) {
  return db
    .selectFrom('runs_turns as mine')
    .innerJoin('runs_runs as own', 'own.id', 'mine.run_id')
    .innerJoin('runs_turns as ahead', (join) =>
      join.onRef('ahead.key', '=', 'mine.key').onRef('ahead.seq', '<', 'mine.seq'),
    )
    .innerJoin('runs_runs as other', 'other.id', 'ahead.run_id')
    .where('mine.has_turn', '=', 0)
    .where('own.status', 'not in', ENDED)
    .where('other.status', 'not in', ENDED);
}

/** Puts right what a server of an earlier version left, which knows of no turns. */
export async function tendTurns(on: RunDatabase): Promise<void> {
  const ids = (await turnsOfEnded(on.db).execute()).map(({ run_id }) => run_id);
  if (ids.length > 0) await on.write((trx) => leaveTurns(trx, on, ids));
}

export function turnsOfEnded(db: RunTransaction) {
  const open = db.selectFrom('runs_runs').select('id').where('status', 'not in', ENDED);
  return db.selectFrom('runs_turns').select('run_id').where('run_id', 'not in', open);
}

type InLine = TurnRow & Pick<RunRow, 'root_id'>;

/** Runs of the key that are not over, the first first. */
function inLine(trx: RunTransaction, key: string): Promise<InLine[]> {
  return trx
    .selectFrom('runs_turns')
    .innerJoin('runs_runs', 'runs_runs.id', 'runs_turns.run_id')
    .selectAll('runs_turns')
    .select('runs_runs.root_id')
    .where('runs_turns.key', '=', key)
    .where('runs_runs.status', 'not in', ENDED)
    .orderBy('runs_turns.seq')
    .execute();
}

/** On SQLite one transaction writes at a time anyway. */
async function lockKey(trx: RunTransaction, { store }: RunDatabase, key: string): Promise<void> {
  if (store.dialect !== 'postgres') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ${`\nturns\n${key}`}, 0))`.execute(
    trx,
  );
}

/** As a run on record has it. */
export function concurrencyOf({ concurrency }: RunRow): Concurrency | undefined {
  return concurrency ? (JSON.parse(concurrency) as Concurrency) : undefined; // as `createRun` wrote it
}
