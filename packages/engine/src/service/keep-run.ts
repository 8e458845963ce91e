import type { RunKindName } from '@nexus/plugin-sdk';
import { insertRun, newRunId } from '../record/creating.ts';
import { familyOf } from '../record/family-of.ts';
import { keepKnown } from '../record/labels.ts';
import type { RunDatabase, RunTransaction } from '../record/run-database.ts';
import { newStep } from '../record/steps.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { blobNamedBy, contentOf, fromStored } from '../record/values.ts';
import type { KeepRule } from './kept-steps.ts';

export interface KeepRun {
  readonly from: string;
  readonly to: RunRow;
  readonly rule: KeepRule;
  /** Whether a plugin of this process has a kind. */
  isKnown(kind: RunKindName): boolean;
}

/**
 * Puts what is kept of a run on record of the new one that is run in its place. A child that was ended with it
 * has a new one in its place too, by the same rule, so that nothing that it had finished is done again.
 */
export async function keepRun(
  trx: RunTransaction,
  on: RunDatabase,
  { from, to, rule, isKnown }: KeepRun,
): Promise<void> {
  const steps = await trx.selectFrom('runs_steps').selectAll().where('run_id', '=', from).execute();
  const { isKept, mayGoOn } = rule(steps);
  const kept = steps.filter(isKept);
  await keepSteps(trx, { from, to: to.id, steps: kept });
  await keepSpending(trx, { from, to, kept });
  await keepKnown(trx, { from, to: to.id });
  for (const step of steps.filter(mayGoOn)) {
    const child = await goOn(trx, on, { step, to, isKnown });
    if (!child) continue;
    await keepRun(trx, on, { from: child.rerun_of ?? '', to: child, rule, isKnown });
  }
}

/** A child in the place of one that ended with its parent; undefined where it ended by itself. */
async function goOn(
  trx: RunTransaction,
  on: RunDatabase,
  { step, to, isKnown }: Pick<KeepRun, 'to' | 'isKnown'> & { step: StepRow },
): Promise<RunRow | undefined> {
  const before = await trx
    .selectFrom('runs_runs')
    .selectAll()
    .where('id', '=', step.child_id)
    .where('status', '=', 'cancelled')
    .executeTakeFirst();
  if (!before) return undefined;
  const { id, kind, version, title, keep_ms: keepMs, deadline_at: deadline, created_at: created } = before;
  const run = {
    id: newRunId(on.ground),
    kind,
    version,
    title,
    input: await fromStored(trx, id, before.input),
    definition: await fromStored(trx, id, before.definition),
    keepMs: Number(keepMs),
    timeoutMs: deadline === null ? undefined : Number(deadline) - Number(created),
    rerunOf: id,
    owner: isKnown({ name: kind, version }) ? (to.owner ?? undefined) : undefined,
  };
  const child = await insertRun(trx, on, run, { parent: to, step: step.name });
  if (!child) throw new Error('a run with an id of its own was not made');
  const { name, begin_seq: seq } = step;
  await trx
    .insertInto('runs_steps')
    .values({
      ...newStep(to.id, { name, title: step.title, kind: 'child', seq }),
      status: 'waiting',
      child_id: child.id,
      started_at: on.store.now as never,
    })
    .execute();
  await trx
    .insertInto('runs_events')
    .values({
      run_id: to.id,
      seq,
      type: 'step.started',
      step: name,
      attempt: 1,
      data: JSON.stringify({ childId: child.id, title: step.title }),
      at: on.store.now as never,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return child;
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
    const own = { id: `${to.id}/${row.id}`, run_id: to.id, root_id: to.root_id, is_kept: 1, answer: null };
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
