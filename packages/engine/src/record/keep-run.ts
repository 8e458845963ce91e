import { familyOf } from './family-of.ts';
import type { KeepRule } from './kept-steps.ts';
import { keepKnown } from './labels.ts';
import type { RunTransaction } from './run-database.ts';
import type { RunRow, StepRow } from './tables.ts';
import { blobNamedBy, contentOf } from './values.ts';

export interface KeepRun {
  readonly from: string;
  readonly to: RunRow;
  readonly rule: KeepRule;
}

/** Puts what is kept of a run on record of the new one that is run in its place. */
export async function keepRun(trx: RunTransaction, { from, to, rule }: KeepRun): Promise<void> {
  const steps = await trx.selectFrom('runs_steps').selectAll().where('run_id', '=', from).execute();
  const kept = steps.filter(rule(steps));
  await keepSteps(trx, { from, to: to.id, steps: kept });
  await keepSpending(trx, { from, to, kept });
  await keepKnown(trx, { from, to: to.id });
}

/**
 * What the run had paid for its own steps was paid for this one's work, whether it is kept or done again, and so was
 * what runs below it had for steps that are kept. It is counted beside what this one spends, not against its cap.
 */
async function keepSpending(
  trx: RunTransaction,
  { from, to, kept }: { from: string; to: RunRow; kept: readonly StepRow[] },
): Promise<void> {
  const names = new Set(kept.map(({ name }) => name));
  const children = await trx
    .selectFrom('runs_runs')
    .select(['id', 'parent_step'])
    .where('parent_id', '=', from)
    .execute();
  await copySpending(trx, [from], to);
  for (const { id, parent_step: step } of children) {
    if (step !== null && names.has(step)) await copySpending(trx, await familyOf({ db: trx }, id), to, step);
  }
}

/** @param step of the new run, for what others spent for it */
async function copySpending(
  trx: RunTransaction,
  from: readonly string[],
  to: RunRow,
  step?: string,
): Promise<void> {
  const paid = await trx
    .selectFrom('runs_spending')
    .selectAll()
    .where('run_id', 'in', from)
    .where('is_settled', '=', 1)
    .execute();
  for (const row of paid) {
    const own = {
      id: `${to.id}/${row.id}`,
      run_id: to.id,
      root_id: to.root_id,
      is_kept: 1,
      interrupted: 0,
      answer: null,
    };
    await trx
      .insertInto('runs_spending')
      .values({ ...row, ...own, ...(step === undefined ? {} : { step }) })
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
