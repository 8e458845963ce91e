import type { ModelUsage, RunUsage, Spend } from '@nexus/plugin-sdk';
import { type RawBuilder, sql } from 'kysely';
import { toMicros, toUsd } from './micros.ts';
import { prepared } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';

export const NOTHING: Spend = { tokens: 0, costUsd: 0 };

/** What calls came to cost. */
export interface Spending {
  readonly spent: Spend;
  /** What calls in flight may cost. */
  readonly reserved: Spend;
  readonly callsInFlight: number;
  /** Requests that were interrupted, whether or not the call was made again: what they cost is not known. */
  readonly unknownCalls: number;
  /** Of the settled calls, in the words of models. */
  readonly usage: Pick<RunUsage, keyof ModelUsage | 'pricedUsd'>;
  /** The settled calls. */
  readonly calls: number;
  /** Calls that none of these runs made, and whose answers they used: another had paid them. */
  readonly keptCalls: number;
}

interface Capped {
  readonly cap_tokens: number | null;
  readonly cap_micros: number | null;
}

export function isOver(
  { cap_tokens, cap_micros }: Capped,
  { spent, reserved }: Pick<Spending, 'spent' | 'reserved'>,
  estimate: Spend,
): boolean {
  const tokens = spent.tokens + reserved.tokens + estimate.tokens;
  const costUsd = spent.costUsd + reserved.costUsd + estimate.costUsd;
  return (
    (cap_tokens !== null && tokens > cap_tokens) || (cap_micros !== null && toMicros(costUsd) > cap_micros)
  );
}

export function capOf({ cap_tokens, cap_micros }: Capped) {
  return {
    ...(cap_tokens === null ? {} : { tokens: cap_tokens }),
    ...(cap_micros === null ? {} : { costUsd: toUsd(cap_micros) }),
  };
}

/** The run and those above it that have a cap: a run that a call of another's step started may have its own. */
export async function cappedAbove(
  trx: RunTransaction,
  on: RunDatabase,
  runId: string,
): Promise<(Capped & { readonly id: string })[]> {
  const { rows } = await capped(trx, on, { runId });
  return rows as (Capped & { id: string })[];
}

const capped = prepared<{ runId: string }>((db, slot) => {
  const found = sql`
    with recursive up (id, parent_id, cap_tokens, cap_micros) as (
      select id, parent_id, cap_tokens, cap_micros from runs_runs where id = ${slot('runId')}
      union all
      select above.id, above.parent_id, above.cap_tokens, above.cap_micros
      from runs_runs above join up on above.id = up.parent_id
    )
    select id, cap_tokens, cap_micros from up
    where cap_tokens is not null or cap_micros is not null`;
  return { compile: () => found.compile(db) };
});

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

/** Of a whole family: whoever looks at a run asks for it. */
export async function spendingOfFamily(on: RunDatabase, rootId: string): Promise<Spending> {
  const { rows } = await sumsOfFamily(on.db, on, { rootId });
  return withKept(on.db, rows as Sum[], { rootId });
}

/** Of one run alone, or of a whole family. */
export async function spendingOf(
  db: RunTransaction,
  { rootId, runId }: { readonly rootId: string; readonly runId?: string },
): Promise<Spending> {
  return spendingIn(db, rootId, runId === undefined ? undefined : sql`(${runId})`);
}

/** Of a run and all below it. */
export async function spendingUnder(
  db: RunTransaction,
  { rootId, runId }: { readonly rootId: string; readonly runId: string },
): Promise<Spending> {
  if (rootId === runId) return spendingOf(db, { rootId });
  const below = sql`(
    with recursive down (id) as (
      select ${runId}
      union all
      select child.id from runs_runs child join down on child.parent_id = down.id
    )
    select id from down)`;
  return spendingIn(db, rootId, below);
}

/** @param runs by default all of the family */
async function spendingIn(db: RunTransaction, rootId: string, runs?: RawBuilder<unknown>): Promise<Spending> {
  const rows = await sums(db, rootId)
    .$if(runs !== undefined, (query) => query.where(sql<boolean>`runs_spending.run_id in ${runs}`))
    .execute();
  return withKept(db, rows, { rootId, runs });
}

async function withKept(
  db: RunTransaction,
  rows: readonly Sum[],
  { rootId, runs }: { readonly rootId: string; readonly runs?: RawBuilder<unknown> | undefined },
): Promise<Spending> {
  const hasKept = rows.some((row) => row.state === 'kept');
  return toSpending(rows, hasKept ? await keptCallsOf(db, rootId, runs) : 0);
}

/** What one of these runs kept of another of them was asked by them. A kept call's id ends with that of the call itself. */
async function keptCallsOf(
  db: RunTransaction,
  rootId: string,
  runs: RawBuilder<unknown> | undefined,
): Promise<number> {
  const within = sql`root_id = ${rootId}${runs === undefined ? sql`` : sql` and run_id in ${runs}`}`;
  const { rows } = await sql<{ calls: number }>`
    select count(distinct call) as calls from (
      select substr(id, length(run_id) + 2) as call from runs_spending where is_kept = 1 and ${within}) as kept
    where call not in (select id from runs_spending where is_kept = 0 and ${within})`.execute(db);
  return Number(rows[0]?.calls ?? 0);
}

/** In flight is what the owner of today has begun. */
const state = sql<'spent' | 'kept' | 'reserved' | 'unknown'>`case
  when is_kept = 1 then 'kept'
  when is_settled = 1 then 'spent'
  when runs_runs.status = 'running' and runs_runs.epoch = runs_spending.epoch then 'reserved'
  else 'unknown' end`;

const total = (column: 'tokens' | 'micros' | 'input_tokens' | 'output_tokens' | 'cached_tokens') =>
  sql<number>`coalesce(sum(${sql.ref(`runs_spending.${column}`)}), 0)`.as(column);

const sums = (db: RunTransaction, rootId: string) =>
  db
    .selectFrom('runs_spending')
    .innerJoin('runs_runs', 'runs_runs.id', 'runs_spending.run_id')
    .where('runs_spending.root_id', '=', rootId)
    .select([
      state.as('state'),
      total('tokens'),
      total('micros'),
      total('input_tokens'),
      total('output_tokens'),
      total('cached_tokens'),
      sql<number>`count(*)`.as('calls'),
      sql<number>`sum(interrupted)`.as('interrupted'),
      sql<number>`sum(is_unpriced)`.as('unpriced'),
      sql<number>`sum(is_estimated)`.as('estimated'),
    ])
    .groupBy('state');

const sumsOfFamily = prepared<{ rootId: string }>((db, slot) => sums(db, slot('rootId')));

type Sum = Awaited<ReturnType<ReturnType<typeof sums>['execute']>>[number];

function toSpending(rows: readonly Sum[], keptCalls = 0): Spending {
  const of = (wanted: Sum['state']) => rows.find(({ state: each }) => each === wanted);
  const spend = (wanted: Sum['state']): Spend => {
    const row = of(wanted);
    return { tokens: Number(row?.tokens ?? 0), costUsd: toUsd(Number(row?.micros ?? 0)) };
  };
  const interrupted = rows.reduce((sum, row) => sum + Number(row.interrupted), 0);
  return {
    spent: spend('spent'),
    reserved: spend('reserved'),
    callsInFlight: Number(of('reserved')?.calls ?? 0),
    unknownCalls: interrupted + Number(of('unknown')?.calls ?? 0),
    usage: usageOf(of('spent')),
    calls: Number(of('spent')?.calls ?? 0),
    keptCalls,
  };
}

function usageOf(row: Sum | undefined): Spending['usage'] {
  const sum = (column: Exclude<keyof Sum, 'state'>) => Number(row?.[column] ?? 0);
  const costUsd = toUsd(sum('micros'));
  const isPriced = sum('unpriced') === 0;
  return {
    inputTokens: sum('input_tokens'),
    outputTokens: sum('output_tokens'),
    cachedInputTokens: sum('cached_tokens'),
    // A sum of costs is one where every price was known.
    ...(row && isPriced ? { costUsd } : {}),
    ...(isPriced || costUsd === 0 ? {} : { pricedUsd: costUsd }),
    ...(sum('estimated') > 0 ? { isEstimated: true } : {}),
  };
}

/** What each step of a run came to cost, with what another run had paid for it. */
export async function spendingBySteps(
  db: RunTransaction,
  { rootId, runId }: { readonly rootId: string; readonly runId: string },
): Promise<ReadonlyMap<string, Spend>> {
  const rows = await db
    .selectFrom('runs_spending')
    .select(['step', sql<number>`sum(tokens)`.as('tokens'), sql<number>`sum(micros)`.as('micros')])
    .where('root_id', '=', rootId)
    .where('run_id', '=', runId)
    .where('is_settled', '=', 1)
    .groupBy('step')
    .execute();
  return new Map(
    rows.map((row) => [row.step, { tokens: Number(row.tokens), costUsd: toUsd(Number(row.micros)) }]),
  );
}

/** What the calls of a step came to. */
export interface StepCost {
  readonly spent: Spend;
  /** Calls that have no known end. */
  readonly unknownCalls: number;
}

/** What each step of a run paid for its own calls, or, where these are what is asked for, what others had paid for it. */
export async function paidBySteps(
  db: RunTransaction,
  { runId, isKept }: { readonly runId: string; readonly isKept: boolean },
): Promise<ReadonlyMap<string, StepCost>> {
  const settled = (column: 'tokens' | 'micros') =>
    sql<number>`sum(case when is_settled = 1 then ${sql.ref(column)} else 0 end)`.as(column);
  const rows = await db
    .selectFrom('runs_spending')
    .select(['step', settled('tokens'), settled('micros'), sql<number>`sum(1 - is_settled)`.as('unknown')])
    .where('run_id', '=', runId)
    .where('is_kept', '=', isKept ? 1 : 0)
    .groupBy('step')
    .execute();
  return new Map(
    rows.map(({ step, tokens, micros, unknown }) => [
      step,
      { spent: { tokens: Number(tokens), costUsd: toUsd(Number(micros)) }, unknownCalls: Number(unknown) },
    ]),
  );
}

/** Of a run that has made none. */
export const NO_CALLS = toSpending([]);
