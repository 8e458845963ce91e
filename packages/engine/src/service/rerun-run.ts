import type { PlanRerun, RerunPlan, Spend } from '@nexus/plugin-sdk';
import { newestOf, runsBefore, wasTold } from '../record/begun-before.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { endedBefore, goingOnBy, isOfUnknownOutcome, type KeepRule, takeUpBy } from '../record/kept-steps.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { NOTHING, spendingBySteps, spendingUnder } from '../record/spending.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { firstStepOf } from './first-step-of.ts';

/** What running again from a step keeps, and what it does again at what cost. */
export async function planRerun(
  on: RunDatabase,
  run: RunRow,
  { from, goesOn = false }: PlanRerun,
): Promise<{ readonly plan: RerunPlan; readonly rule: KeepRule }> {
  const steps = await stepsOf(on, run);
  const start = from === undefined ? undefined : firstStepOf(run.id, steps, from);
  const rule = goesOn ? takeUpBy(run) : endedBefore(start);
  return { plan: await planBy(on, { run, steps, rule, goesOn }), rule };
}

function stepsOf({ db }: RunDatabase, { id }: RunRow): Promise<StepRow[]> {
  return db.selectFrom('runs_steps').selectAll().where('run_id', '=', id).orderBy('begin_seq').execute();
}

type RepeatedStep = RerunPlan['repeated'][number];

interface Planned {
  readonly run: RunRow;
  readonly steps: readonly StepRow[];
  readonly rule: KeepRule;
  /** Whether what its steps had begun goes on, and is not begun anew. */
  readonly goesOn: boolean;
}

async function planBy(on: RunDatabase, { run, steps, rule, goesOn }: Planned): Promise<RerunPlan> {
  const isKept = rule(steps);
  const kept = steps.filter(isKept);
  const unknown = goesOn ? kept.filter(isOfUnknownOutcome) : [];
  const costs = await spendingBySteps(on.db, { rootId: run.root_id, runId: run.id });
  const repeated: RepeatedStep[] = [];
  for (const step of steps) {
    if (isKept(step) || step.kind === 'event' || step.kind === 'value') continue;
    const runs = await planOfBegun(on, step, goesOn);
    const own = costs.get(step.name) ?? NOTHING;
    repeated.push({
      name: step.name,
      spent: sumOf([own, ...runs.map(({ cost }) => cost)]),
      ...(runs.length === 0 ? {} : { runs }),
    });
  }
  return {
    runId: run.id,
    kept: kept.filter((step) => !unknown.includes(step)).map(({ name }) => name),
    ...(unknown.length === 0 ? {} : { unknown: unknown.map(({ name }) => name) }),
    repeated,
    cost: sumOf(repeated.map(({ spent }) => spent)),
  };
}

/** What becomes of the runs that a step had begun: each, by whatever it goes on in, once. */
async function planOfBegun(
  on: RunDatabase,
  { run_id, name, status }: StepRow,
  goesOn: boolean,
): Promise<NonNullable<RepeatedStep['runs']>> {
  const begun = await begunBy(on, run_id, name);
  const newest = new Map<string, RunRow>();
  for (const row of begun) {
    const last = await newestOf(on, row);
    newest.set(last.id, last);
  }
  const plans: NonNullable<RepeatedStep['runs']>[number][] = [];
  for (const run of newest.values()) {
    const isAnew = !goesOn || (run.status === 'completed' && status === 'completed');
    const { id: runId, root_id: rootId } = run;
    if (isAnew) {
      const { spent } = await spendingUnder(on.db, { rootId, runId });
      plans.push({ runId, isAnew, kept: [], repeated: [], cost: spent });
    } else {
      const rule = goingOnBy(run, await wasTold(on, run));
      plans.push({ isAnew, ...(await planBy(on, { run, steps: await stepsOf(on, run), rule, goesOn })) });
    }
  }
  return plans;
}

/** By the step in the latest run of its line in which it began any; a job only waits for what its call began. */
async function begunBy(on: RunDatabase, runId: string, step: string): Promise<RunRow[]> {
  const { db } = on;
  for (const id of [runId, ...(await runsBefore(db, on, runId))]) {
    const begun = await db
      .selectFrom('runs_runs')
      .selectAll()
      .where('parent_id', '=', id)
      .where('parent_step', '=', step)
      .where('kind', '!=', JOB_KIND)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    if (begun.length > 0) return begun;
  }
  return [];
}

function sumOf(all: readonly Spend[]): Spend {
  return all.reduce(
    (sum, { tokens, costUsd }) => ({ tokens: sum.tokens + tokens, costUsd: sum.costUsd + costUsd }),
    NOTHING,
  );
}
