import { type RerunOptions, type RerunPlan, type Spend, ToolError } from '@nexus/plugin-sdk';
import type { RunDatabase, RunTransaction } from '../record/run-database.ts';
import { spendingBySteps, spendingOf } from '../record/spending.ts';
import type { RunRow, StepRow } from '../record/tables.ts';

/** What running again from a step keeps, and what it does again at what cost. */
export async function planRerun(
  { db }: RunDatabase,
  run: RunRow,
  { from, goesOn = false }: Pick<RerunOptions, 'from' | 'goesOn'>,
): Promise<RerunPlan & { readonly keptRows: readonly StepRow[] }> {
  const steps = await db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', run.id)
    .orderBy('begin_seq')
    .execute();
  const start = from === undefined ? undefined : steps.find(({ name }) => name === from);
  if (from !== undefined && !start) {
    const names = steps.map(({ name }) => name).join(', ');
    throw new ToolError('NEXUS_NOT_FOUND', `Run ${run.id} has no step "${from}". It has: ${names}.`);
  }
  const isKept = goesOn ? stoodWell(steps) : endedBefore(start);
  const kept = steps.filter(isKept);
  const costs = await spendingBySteps(db, run.id);
  const repeated: { name: string; spent: Spend }[] = [];
  for (const step of steps) {
    if (isKept(step) || step.kind === 'event' || step.kind === 'value') continue;
    const ofChild =
      step.child_id === null
        ? undefined
        : (await spendingOf(db, { rootId: run.root_id, runId: step.child_id })).spent;
    repeated.push({ name: step.name, spent: ofChild ?? costs.get(step.name) ?? NOTHING });
  }
  const cost = repeated.reduce(
    (sum, { spent }) => ({ tokens: sum.tokens + spent.tokens, costUsd: sum.costUsd + spent.costUsd }),
    NOTHING,
  );
  return { runId: run.id, kept: kept.map(({ name }) => name), repeated, cost, keptRows: kept };
}

/** What had ended when a step began is all that it can have been made from. */
function endedBefore(start: StepRow | undefined) {
  return ({ end_seq }: StepRow) => start !== undefined && end_seq !== null && end_seq < start.begin_seq;
}

/** What ended well and began before the run knew of any failure: the same, whatever comes of that one now. */
function stoodWell(steps: readonly StepRow[]) {
  // One without an end, such as a child that ended with the run, never came to the run's knowledge.
  const failures = steps.flatMap(({ status, end_seq }) => (status === 'failed' ? (end_seq ?? []) : []));
  const firstKnown = Math.min(Number.POSITIVE_INFINITY, ...failures);
  return ({ status, begin_seq }: StepRow) => status === 'completed' && begin_seq < firstKnown;
}

/** All that a run has come to, in whatever order. */
export function endedSteps({ db }: RunDatabase, runId: string): Promise<StepRow[]> {
  return db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('end_seq', 'is not', null)
    .execute();
}

const NOTHING: Spend = { tokens: 0, costUsd: 0 };

/** Puts what is kept on record of the new run, with the blobs that it is in. */
export async function keepSteps(
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
  const hashes = steps.flatMap(({ output }) => (output?.startsWith('@') ? [output.slice(1)] : []));
  for (const hash of new Set(hashes)) {
    const { content } = await trx
      .selectFrom('runs_blobs')
      .select('content')
      .where('run_id', '=', from)
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow();
    await trx.insertInto('runs_blobs').values({ run_id: to, hash, content }).execute();
  }
}
