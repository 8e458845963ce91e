import type { PlanRerun, RerunPlan, Spend } from '@nexus/plugin-sdk';
import type { RunDatabase } from '../record/run-database.ts';
import { NOTHING, spendingBySteps, spendingOf } from '../record/spending.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { firstStepOf } from './first-step-of.ts';
import { endedBefore, type KeepRule, stoodWell } from './kept-steps.ts';

/** What running again from a step keeps, and what it does again at what cost. */
export async function planRerun(
  on: RunDatabase,
  run: RunRow,
  { from, goesOn = false }: PlanRerun,
): Promise<RerunPlan & { readonly rule: KeepRule }> {
  const { db } = on;
  const steps = await db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', run.id)
    .orderBy('begin_seq')
    .execute();
  const start = from === undefined ? undefined : firstStepOf(run.id, steps, from);
  const rule = goesOn ? stoodWell : endedBefore(start);
  const { isKept, mayGoOn } = rule(steps);
  const kept = steps.filter(isKept);
  const costs = await spendingBySteps(db, { rootId: run.root_id, runId: run.id });
  const repeated: { name: string; spent: Spend }[] = [];
  for (const step of steps) {
    if (isKept(step) || step.kind === 'event' || step.kind === 'value') continue;
    const ofChild = await costOfChild(on, { run, step, goesOn: mayGoOn(step) });
    repeated.push({ name: step.name, spent: ofChild ?? costs.get(step.name) ?? NOTHING });
  }
  const cost = repeated.reduce(
    (sum, { spent }) => ({ tokens: sum.tokens + spent.tokens, costUsd: sum.costUsd + spent.costUsd }),
    NOTHING,
  );
  return { runId: run.id, kept: kept.map(({ name }) => name), repeated, cost, rule };
}

/** What a step's child cost, or of one that goes on what it has to do again. */
async function costOfChild(
  on: RunDatabase,
  { run, step, goesOn }: { run: RunRow; step: StepRow; goesOn: boolean },
): Promise<Spend | undefined> {
  if (step.child_id === null) return undefined;
  const { db } = on;
  const child = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('id', '=', step.child_id)
    .executeTakeFirst();
  if (goesOn && child?.status === 'cancelled') return (await planRerun(on, child, { goesOn })).cost;
  return (await spendingOf(db, { rootId: run.root_id, runId: step.child_id })).spent;
}
