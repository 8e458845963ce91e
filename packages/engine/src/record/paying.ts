import type { CallCost, CallEstimate, Spend } from '@nexus/plugin-sdk';
import { type ExpressionBuilder, sql } from 'kysely';
import { holdRun, type RunToken } from './fence.ts';
import { keptCall } from './kept-call.ts';
import { toMicros } from './micros.ts';
import { prepared, shaped, statement } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import { capOf, cappedAbove, isOver, NOTHING, type Spending, spendingOf, spendingUnder } from './spending.ts';
import type { RunRow, RunTables, SpendingRow } from './tables.ts';

/** Whose call it is. */
export interface Payer {
  readonly rootId: string;
  readonly runId: string;
  readonly step: string;
}

/** A call of a step as it is on record: made again, it is the same one. */
export interface CallOnRecord {
  readonly id: string;
  readonly digest: string | null;
  /** JSON; null for a call that nobody saw the end of. */
  readonly answer: string | null;
  /** Whether the answer is one; else it is what had come, of which nothing was made yet. */
  readonly is_settled: number;
}

interface Call extends Payer {
  readonly id: string;
  readonly digest: string | null;
  readonly estimate: CallEstimate;
  /** Its answer has come: whatever the cap says, it is paid for. */
  readonly isPaid?: boolean;
}

export type Reserving =
  /** And what had come of it, as JSON, where its owner before died with that. */
  | { readonly is: 'reserved'; readonly arrived: string | null }
  /** By the owner before, since the record was read. */
  | { readonly is: 'answered'; readonly answer: string | null }
  | {
      readonly is: 'over';
      readonly spending: Spending;
      /** What its family has spent, and may spend by calls in flight, whichever of its runs has the cap. */
      readonly ofFamily: Spend;
      readonly cap: Partial<Spend>;
      /** Whether it would fit, had the calls in flight cost nothing. */
      readonly mayFit: boolean;
    }
  /** It has no price, and the cap is one of money. */
  | { readonly is: 'unpriced'; readonly cap: Partial<Spend> };

/** The calls of a step that its last owner had begun, those that were answered first. */
export async function callsOnRecord(
  { db }: RunDatabase,
  { rootId, runId, step }: Payer,
): Promise<CallOnRecord[]> {
  return db
    .selectFrom('runs_spending')
    .select(['id', 'digest', 'answer', 'is_settled'])
    .where('root_id', '=', rootId)
    .where('run_id', '=', runId)
    .where('step', '=', step)
    .where(({ eb, or, and }) =>
      or([eb('answer', 'is not', null), and([eb('is_settled', '=', 0), eb('epoch', '>', 0)])]),
    )
    .orderBy('is_settled', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Sets aside what a call may cost, where the run is still the token's, by one transaction: whoever has lost the
 * run pays nothing more. A call that an earlier owner was interrupted in is replaced by its repetition. Calls side
 * by side can't pass a cap together: the family's first run is locked meanwhile.
 * @throws {LostRun}
 */
export function reserve(on: RunDatabase, token: RunToken, call: Call): Promise<Reserving> {
  return on.write(async (trx, isAgain) => {
    const isCapped = !call.isPaid && (await cappedAbove(trx, on, call.runId)).length > 0;
    // The first run before those below it, as an end does that ends its children.
    if (isCapped) await lockFirst(trx, on, call);
    await holdRun(trx, on, token);
    // Reserved already, it would be counted beside itself.
    const reserved = isAgain ? await reservedBefore(trx, token, call.id) : undefined;
    if (reserved) return { is: 'reserved', arrived: reserved.answer };
    for (const { id, ...capped } of isCapped ? await cappedAbove(trx, on, call.runId) : []) {
      if (call.estimate.isUnpriced && capped.cap_micros !== null)
        return { is: 'unpriced', cap: capOf(capped) };
      const spending = await spendingUnder(trx, { rootId: call.rootId, runId: id });
      if (!isOver(capped, spending, call.estimate)) continue;
      const mayFit = !isOver(capped, { ...spending, reserved: NOTHING }, call.estimate);
      const { spent, reserved } =
        id === call.rootId ? spending : await spendingOf(trx, { rootId: call.rootId });
      const ofFamily = {
        tokens: spent.tokens + reserved.tokens,
        costUsd: spent.costUsd + reserved.costUsd,
      };
      return { is: 'over', spending, ofFamily, cap: capOf(capped), mayFit };
    }
    return insertCall(trx, on, { token, call });
  });
}

function reservedBefore(trx: RunTransaction, { epoch }: RunToken, id: string) {
  return trx
    .selectFrom('runs_spending')
    .select('answer')
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('is_settled', '=', 0)
    .executeTakeFirst();
}

/** Whether the run is still the token's. @throws {LostRun} */
export async function confirmOwner(on: RunDatabase, token: RunToken): Promise<void> {
  await holdRun(on.db, on, token);
}

async function lockFirst(trx: RunTransaction, on: RunDatabase, { rootId }: Payer): Promise<void> {
  await trx.updateTable('runs_runs').set({ updated_at: on.store.now }).where('id', '=', rootId).execute();
}

async function insertCall(
  trx: RunTransaction,
  on: RunDatabase,
  { token: { epoch }, call }: { token: RunToken; call: Call },
): Promise<Reserving> {
  const { id, rootId, runId, step, digest, estimate } = call;
  const most = { epoch, tokens: Math.ceil(estimate.tokens), micros: toMicros(estimate.costUsd) };
  const inserted = await insertReserved(trx, on, {
    id,
    root_id: rootId,
    run_id: runId,
    step,
    digest,
    ...most,
  });
  const [reserved] = inserted.rows as Pick<SpendingRow, 'answer'>[];
  if (reserved) return { is: 'reserved', arrived: reserved.answer };
  const { answer } = await trx
    .selectFrom('runs_spending')
    .select('answer')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { is: 'answered', answer };
}

/** Of a call that is reserved again. One whose answer had come is not made again: it is read. */
const timesInterrupted = sql<number>`case
  when runs_spending.answer is null then runs_spending.interrupted + 1
  else runs_spending.interrupted end`;

const insertReserved = prepared<
  Pick<SpendingRow, 'id' | 'root_id' | 'run_id' | 'step' | 'digest' | 'epoch' | 'tokens' | 'micros'>
>((db, slot) => {
  const most = { epoch: slot('epoch'), tokens: slot('tokens'), micros: slot('micros') };
  return db
    .insertInto('runs_spending')
    .values({
      id: slot('id'),
      root_id: slot('root_id'),
      run_id: slot('run_id'),
      step: slot('step'),
      digest: slot('digest'),
      ...most,
      is_settled: 0,
      input_tokens: 0,
      output_tokens: 0,
      cached_tokens: 0,
      is_unpriced: 0,
      is_estimated: 0,
      is_kept: 0,
      interrupted: 0,
      answer: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...most, interrupted: timesInterrupted })
        .where('runs_spending.is_settled', '=', 0),
    )
    .returning('answer');
});

/** Of a call whose step is over without it. */
const CLOSED = -1;

/** What a call came to. */
export interface Settlement {
  readonly id: string;
  readonly epoch: number;
  readonly spent: CallCost;
  /** JSON. */
  readonly answer: string | null;
}

/**
 * What was really spent and what was answered: one statement, that comes to the same when it is made again. It holds
 * as long as nobody has made the call anew; the answer only until its step has ended.
 */
export async function settle(on: RunDatabase, { id, epoch, spent, answer }: Settlement): Promise<void> {
  const { usage } = spent;
  await settleCall(on.db, on, {
    id,
    epoch,
    answer,
    tokens: Math.ceil(spent.tokens),
    micros: toMicros(spent.costUsd),
    input_tokens: usage?.inputTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    cached_tokens: usage?.cachedInputTokens ?? 0,
    is_unpriced: usage && usage.costUsd === undefined ? 1 : 0,
    is_estimated: usage?.isEstimated ? 1 : 0,
  });
}

/** Put together once: what is paid for is at risk until it is made. */
const settleCall = prepared<
  Omit<SpendingRow, 'root_id' | 'run_id' | 'step' | 'digest' | 'is_settled' | 'is_kept' | 'interrupted'>
>((db, slot) =>
  db
    .updateTable('runs_spending')
    .set({
      tokens: slot('tokens'),
      micros: slot('micros'),
      input_tokens: slot('input_tokens'),
      output_tokens: slot('output_tokens'),
      cached_tokens: slot('cached_tokens'),
      is_unpriced: slot('is_unpriced'),
      is_estimated: slot('is_estimated'),
      is_settled: 1,
      answer: sql<string | null>`case when epoch = ${slot('epoch')} then ${slot('answer')} end`,
    })
    .where('id', '=', slot('id'))
    .where('is_settled', '=', 0)
    .where('epoch', 'in', [slot('epoch'), CLOSED]),
);

/**
 * What has come of a call, as it is: one statement that is sent at once and nobody waits for. It holds until the
 * call is settled, and not for one that has been made anew.
 */
export async function keepArrived(
  on: RunDatabase,
  arrived: { readonly id: string; readonly epoch: number; readonly answer: string },
): Promise<void> {
  await on.store.ahead(keepCall(on, arrived));
}

const keepCall = statement<{ id: string; epoch: number; answer: string }>((db, slot) =>
  db
    .updateTable('runs_spending')
    .set({ answer: slot('answer') })
    .where('id', '=', slot('id'))
    .where('epoch', '=', slot('epoch'))
    .where('is_settled', '=', 0),
);

/** The answer to the same call of a run before is this one's, and counts as kept: on record, so that it is taken once. */
export async function takePaid(
  on: RunDatabase,
  token: RunToken,
  { payer, paid }: { readonly payer: Payer; readonly paid: SpendingRow },
): Promise<void> {
  const { runId: id, rootId: root_id, step } = payer;
  await on.write(async (trx) => {
    await holdRun(trx, on, token);
    await trx
      .insertInto('runs_spending')
      .values({ ...keptCall(paid, { id, root_id }, step), epoch: token.epoch, answer: paid.answer })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** A call that was interrupted while its step goes on: it holds no room any more, and what it cost nobody knows. */
export async function leaveCall(
  on: RunDatabase,
  { id, epoch }: Pick<Settlement, 'id' | 'epoch'>,
): Promise<void> {
  await on.db
    .updateTable('runs_spending')
    .set({ epoch: CLOSED })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('is_settled', '=', 0)
    .execute();
}

/**
 * A step, or a run, has its end, or begins anew: what had no end has none. Its answers stay for who has a run that failed
 * or was cancelled go on, and are gone with an attempt that failed, since it may have failed by them, and with a run that
 * is completed.
 */
export async function closeCalls(
  trx: RunTransaction,
  on: RunDatabase,
  of: Omit<Payer, 'step'> & { readonly step?: string; readonly answersStay: boolean },
): Promise<void> {
  await closeAll(trx, on, of);
}

const closeAll = shaped<Parameters<typeof closeCalls>[2]>((db, { rootId, runId, step, answersStay }) =>
  db
    .updateTable('runs_spending')
    .set({
      answer: null,
      epoch: sql<number>`case when is_settled = 0 then ${sql.lit(CLOSED)} else epoch end`,
    })
    .where('root_id', '=', rootId)
    .where('run_id', '=', runId)
    .$if(step !== undefined, (query) => query.where('step', '=', step ?? ''))
    .where(answersStay ? hasNoEnd : isCallOpen),
);

/** What a run keeps of answers for who has it go on. */
export async function addSizeOfAnswers(
  trx: RunTransaction,
  { id, root_id }: Pick<RunRow, 'id' | 'root_id'>,
): Promise<void> {
  const size = trx
    .selectFrom('runs_spending')
    .select(sql<number>`coalesce(sum(length(answer)), 0)`.as('size'))
    .where('root_id', '=', root_id)
    .where('run_id', '=', id);
  await trx
    .updateTable('runs_runs')
    .set({ bytes: sql<number>`bytes + ${size}` })
    .where('id', '=', id)
    .execute();
}

const hasNoEnd = ({ eb }: ExpressionBuilder<RunTables, 'runs_spending'>) => eb('is_settled', '=', 0);

/** Whether a call has no end yet, or an answer that is kept. */
export const isCallOpen = ({ eb, or }: ExpressionBuilder<RunTables, 'runs_spending'>) =>
  or([eb('answer', 'is not', null), eb('is_settled', '=', 0)]);
