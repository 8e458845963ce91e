import type { Spend } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { toMicros, toUsd } from './creating.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';

export interface Spending {
  readonly spent: Spend;
  readonly reserved: Spend;
}

/** Whose call a reservation is for; `id` is its own, so that a repetition replaces it. */
export interface Spender {
  readonly id: string;
  readonly rootId: string;
  readonly runId: string;
  readonly step: string;
}

export type Reserving =
  | { readonly isReserved: true }
  | { readonly isReserved: false; readonly spent: Spend; readonly cap: Partial<Spend> };

/**
 * Calls side by side can't pass the cap together: the family's first run is locked meanwhile. A run that was
 * started by a call of another's step may have a cap of its own, for itself and its children.
 */
export function reserve(on: RunDatabase, spender: Spender, estimate: Spend): Promise<Reserving> {
  const { id, rootId, runId, step } = spender;
  return on.db.transaction().execute(async (trx) => {
    const root = await trx
      .updateTable('runs_runs')
      .set({ updated_at: on.store.now })
      .where('id', '=', rootId)
      .returning(['cap_tokens', 'cap_micros'])
      .executeTakeFirstOrThrow();
    const within = runId === rootId ? [] : await cappedBetween(trx, { rootId, runId });
    for (const { id: of, ...capped } of [{ id: undefined, ...root }, ...within]) {
      const spending = await (of === undefined ? spendingOf(trx, { rootId }) : spendingUnder(trx, of));
      if (isOver(capped, spending, estimate)) {
        return { isReserved: false, spent: spending.spent, cap: capOf(capped) };
      }
    }
    await trx
      .insertInto('runs_spending')
      .values({
        id,
        root_id: rootId,
        run_id: runId,
        step,
        tokens: Math.ceil(estimate.tokens),
        micros: toMicros(estimate.costUsd),
        is_settled: 0,
      })
      .execute();
    return { isReserved: true };
  });
}

interface Capped {
  readonly cap_tokens: number | null;
  readonly cap_micros: number | null;
}

function isOver({ cap_tokens, cap_micros }: Capped, { spent, reserved }: Spending, estimate: Spend): boolean {
  const tokens = spent.tokens + reserved.tokens + estimate.tokens;
  const costUsd = spent.costUsd + reserved.costUsd + estimate.costUsd;
  return (
    (cap_tokens !== null && tokens > cap_tokens) || (cap_micros !== null && toMicros(costUsd) > cap_micros)
  );
}

/** The run and those above it, below the first, that have a cap. */
async function cappedBetween(
  trx: RunTransaction,
  { rootId, runId }: { rootId: string; runId: string },
): Promise<(Capped & { readonly id: string })[]> {
  const { rows } = await sql<Capped & { id: string }>`
    with recursive up (id, parent_id, cap_tokens, cap_micros) as (
      select id, parent_id, cap_tokens, cap_micros from runs_runs where id = ${runId}
      union all
      select above.id, above.parent_id, above.cap_tokens, above.cap_micros
      from runs_runs above join up on above.id = up.parent_id
    )
    select id, cap_tokens, cap_micros from up
    where id <> ${rootId} and (cap_tokens is not null or cap_micros is not null)`.execute(trx);
  return rows;
}

/** Another cap for the whole family: also where one of its runs has a lower one of its own. */
export async function raiseCaps(
  trx: RunTransaction,
  { rootId, family, cap }: { rootId: string; family: readonly string[]; cap: Partial<Spend> },
): Promise<void> {
  const columns = {
    ...(cap.tokens === undefined ? {} : { cap_tokens: cap.tokens }),
    ...(cap.costUsd === undefined ? {} : { cap_micros: toMicros(cap.costUsd) }),
  };
  await trx
    .updateTable('runs_runs')
    .set(columns)
    .where('id', 'in', family)
    .where(({ eb, or }) =>
      or([eb('id', '=', rootId), eb('cap_tokens', 'is not', null), eb('cap_micros', 'is not', null)]),
    )
    .execute();
}

/** Once; what was spent counts even where the run is another's by now. */
export async function settle({ db }: RunDatabase, id: string, spent: Spend): Promise<void> {
  await db
    .updateTable('runs_spending')
    .set({ tokens: Math.ceil(spent.tokens), micros: toMicros(spent.costUsd), is_settled: 1 })
    .where('id', '=', id)
    .execute();
}

export function capOf({ cap_tokens, cap_micros }: Capped) {
  return {
    ...(cap_tokens === null ? {} : { tokens: cap_tokens }),
    ...(cap_micros === null ? {} : { costUsd: toUsd(cap_micros) }),
  };
}

/** Of a whole family, or of one run of it. */
export async function spendingOf(
  db: RunTransaction,
  of: { readonly rootId: string; readonly runId?: string },
): Promise<Spending> {
  const rows = await sums(db)
    .where('root_id', '=', of.rootId)
    .$if(of.runId !== undefined, (query) => query.where('run_id', '=', of.runId ?? ''))
    .execute();
  return toSpending(rows);
}

/** Of a run and all below it. */
async function spendingUnder(db: RunTransaction, runId: string): Promise<Spending> {
  const below = sql<string>`(
    with recursive down (id) as (
      select ${runId}
      union all
      select child.id from runs_runs child join down on child.parent_id = down.id
    )
    select id from down)`;
  return toSpending(await sums(db).where('run_id', 'in', below).execute());
}

const sums = (db: RunTransaction) =>
  db
    .selectFrom('runs_spending')
    .select([
      'is_settled',
      sql<number>`coalesce(sum(tokens), 0)`.as('tokens'),
      sql<number>`coalesce(sum(micros), 0)`.as('micros'),
    ])
    .groupBy('is_settled');

function toSpending(
  rows: readonly { readonly is_settled: number; readonly tokens: number; readonly micros: number }[],
): Spending {
  const sum = (settled: number): Spend => {
    const row = rows.find(({ is_settled }) => is_settled === settled);
    return { tokens: Number(row?.tokens ?? 0), costUsd: toUsd(Number(row?.micros ?? 0)) };
  };
  return { spent: sum(1), reserved: sum(0) };
}

/** What each step of a run came to cost. */
export async function spendingBySteps(
  db: RunTransaction,
  runId: string,
): Promise<ReadonlyMap<string, Spend>> {
  const rows = await db
    .selectFrom('runs_spending')
    .select(['step', sql<number>`sum(tokens)`.as('tokens'), sql<number>`sum(micros)`.as('micros')])
    .where('run_id', '=', runId)
    .groupBy('step')
    .execute();
  return new Map(
    rows.map((row) => [row.step, { tokens: Number(row.tokens), costUsd: toUsd(Number(row.micros)) }]),
  );
}
