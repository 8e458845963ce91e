import type { RunOfCall } from '@nexus/plugin-sdk';
import { moveKept } from './answers-ahead.ts';
import { familyOf } from './family-of.ts';
import { keptCall } from './kept-call.ts';
import { isOfUnknownOutcome, type KeepRule } from './kept-steps.ts';
import { keepKnown } from './labels.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { RunRow, SpendingRow, StepRow } from './tables.ts';
import { blobNamedBy, contentOf } from './values.ts';

export interface KeepRun {
  readonly from: string;
  readonly to: RunRow;
  readonly rule: KeepRule;
  /** Whether it is given something else: then what was said ahead was said of something else. */
  readonly isOther?: boolean;
}

/** Puts what is kept of a run on record of the new one that is run in its place. */
export async function keepRun(
  trx: RunTransaction,
  on: RunDatabase,
  { from, to, rule, isOther = false }: KeepRun,
): Promise<void> {
  const steps = await trx.selectFrom('runs_steps').selectAll().where('run_id', '=', from).execute();
  const kept = steps.filter(rule(steps));
  await keepSteps(trx, { from, to: to.id, steps: kept });
  await keepSpending(trx, { from, to, kept });
  await keepKnown(trx, on, { from, to: to.id });
  if (!isOther) await moveKept(trx, { from, to: to.id });
}

/**
 * What the run, and those below it, had paid for the steps that are kept: this one uses those answers, and does not ask
 * for them anew. It is counted beside what this one spends, not against its cap.
 */
async function keepSpending(
  trx: RunTransaction,
  { from, to, kept }: { from: string; to: RunRow; kept: readonly StepRow[] },
): Promise<void> {
  // Of what nobody knows the outcome of, no answer is used.
  const names = new Set(kept.filter((step) => !isOfUnknownOutcome(step)).map(({ name }) => name));
  const children = await trx
    .selectFrom('runs_runs')
    .select(['id', 'parent_step'])
    .where('parent_id', '=', from)
    .execute();
  await copySpending(trx, { of: [from], to, stepOf: ({ step }) => (names.has(step) ? step : undefined) });
  for (const { id, parent_step: step } of children) {
    if (step === null || !names.has(step)) continue;
    await copySpending(trx, { of: await familyOf({ db: trx }, id), to, stepOf: () => step });
  }
}

/** What a run had paid by when a step of another takes its answer, though it is none of that one's family. */
export async function keepSpendingOf(on: RunDatabase, run: RunRow, by: RunOfCall): Promise<void> {
  await on.write(async (trx) => {
    const to = await trx.selectFrom('runs_runs').selectAll().where('id', '=', by.id).executeTakeFirst();
    if (!to || to.root_id === run.root_id) return;
    await copySpending(trx, { of: await familyOf({ db: trx }, run.id), to, stepOf: () => by.step });
  });
}

interface CopySpending {
  readonly of: readonly string[];
  readonly to: RunRow;
  /** The step of the new run that has the answer; undefined where none has. */
  readonly stepOf: (paid: SpendingRow) => string | undefined;
}

async function copySpending(trx: RunTransaction, { of, to, stepOf }: CopySpending): Promise<void> {
  const paid = await trx
    .selectFrom('runs_spending')
    .selectAll()
    .where('run_id', 'in', of)
    .where('is_settled', '=', 1)
    // A call that was refused has no answer to be kept.
    .where(({ eb, or }) => or([eb('tokens', '>', 0), eb('micros', '>', 0)]))
    .execute();
  for (const row of paid) {
    const step = stepOf(row);
    if (step === undefined) continue;
    await trx
      .insertInto('runs_spending')
      .values(keptCall(row, to, step))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** With the blobs that they are in. */
async function keepSteps(
  trx: RunTransaction,
  { from, to, steps }: { from: string; to: string; steps: readonly StepRow[] },
): Promise<void> {
  for (const step of steps) {
    // Its input may be another by now: what it came to is kept because somebody said so.
    await trx
      .insertInto('runs_steps')
      .values({ ...step, run_id: to, digest: null })
      .execute();
    await trx
      .insertInto('runs_events')
      .values({
        run_id: to,
        seq: step.end_seq ?? step.begin_seq,
        type: 'step.kept',
        step: step.name,
        attempt: step.attempt,
        data: JSON.stringify({ from }),
        at: step.ended_at ?? step.started_at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const hashes = steps.flatMap(({ output }) => (output === null ? [] : (blobNamedBy(output) ?? [])));
  for (const hash of new Set(hashes)) {
    const content = await contentOf(trx, from, hash);
    await trx.insertInto('runs_blobs').values({ run_id: to, hash, content }).execute();
  }
}
