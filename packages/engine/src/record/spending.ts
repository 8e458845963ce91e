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

/** Calls side by side can't pass the cap together: the family's first run is locked meanwhile. */
export function reserve(on: RunDatabase, spender: Spender, estimate: Spend): Promise<Reserving> {
  const { id, rootId, runId, step } = spender;
  return on.db.transaction().execute(async (trx) => {
    const root = await trx
      .updateTable('runs_runs')
      .set({ updated_at: on.store.now })
      .where('id', '=', rootId)
      .returning(['cap_tokens', 'cap_micros'])
      .executeTakeFirstOrThrow();
    const { spent, reserved } = await spendingOf(trx, { rootId });
    const tokens = spent.tokens + reserved.tokens + estimate.tokens;
    const costUsd = spent.costUsd + reserved.costUsd + estimate.costUsd;
    const isOver =
      (root.cap_tokens !== null && tokens > root.cap_tokens) ||
      (root.cap_micros !== null && toMicros(costUsd) > root.cap_micros);
    if (isOver) return { isReserved: false, spent, cap: capOf(root) };
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

/** Once; what was spent counts even where the run is another's by now. */
export async function settle({ db }: RunDatabase, id: string, spent: Spend): Promise<void> {
  await db
    .updateTable('runs_spending')
    .set({ tokens: Math.ceil(spent.tokens), micros: toMicros(spent.costUsd), is_settled: 1 })
    .where('id', '=', id)
    .execute();
}

export function capOf({ cap_tokens, cap_micros }: { cap_tokens: number | null; cap_micros: number | null }) {
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
  const rows = await db
    .selectFrom('runs_spending')
    .select([
      'is_settled',
      sql<number>`coalesce(sum(tokens), 0)`.as('tokens'),
      sql<number>`coalesce(sum(micros), 0)`.as('micros'),
    ])
    .where('root_id', '=', of.rootId)
    .$if(of.runId !== undefined, (query) => query.where('run_id', '=', of.runId ?? ''))
    .groupBy('is_settled')
    .execute();
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
