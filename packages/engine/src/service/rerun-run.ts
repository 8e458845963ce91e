import type { PlanRerun, RerunPlan } from '@nexus/plugin-sdk';
import { isOver, newestOf, runsBefore, wasTold } from '../record/begun-before.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { endedBefore, goingOnBy, isOfUnknownOutcome, type KeepRule, takeUpBy } from '../record/kept-steps.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { NOTHING, paidBySteps, type StepCost } from '../record/spending.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { firstStepOf, hasStepCalled, isCalledUnder } from './first-step-of.ts';

/** What running again from a step keeps, and what it does again at what cost. */
export async function planRerun(
  on: RunDatabase,
  run: RunRow,
  { from, goesOn = false }: PlanRerun,
): Promise<{ readonly plan: RerunPlan; readonly rule: KeepRule }> {
  const steps = await stepsOf(on, run);
  const start = from === undefined ? undefined : await startOf(on, run, { steps, written: from });
  const rule = goesOn ? takeUpBy(run) : endedBefore(start);
  return { plan: await planBy(on, { run, steps, rule, goesOn }), rule };
}

/** @throws {ToolError} as `firstStepOf` */
async function startOf(
  on: RunDatabase,
  run: RunRow,
  { steps, written }: { readonly steps: readonly StepRow[]; readonly written: string },
): Promise<StepRow> {
  const holders = hasStepCalled(steps, written) ? [] : await holdersOf(on, run, { steps, written });
  return firstStepOf(run.id, steps, { written, holders });
}

/** The steps that are done by runs of their own in which a step is called so: views show those steps as well. */
async function holdersOf(
  { db }: RunDatabase,
  run: RunRow,
  { steps, written }: { readonly steps: readonly StepRow[]; readonly written: string },
): Promise<StepRow[]> {
  const hasBelow = async (of: string, step: StepRow, beside: readonly StepRow[]): Promise<boolean> => {
    const children = db.selectFrom('runs_runs').selectAll().where('parent_id', '=', of);
    for (const child of await children.where('parent_step', '=', step.name).execute()) {
      const own = await stepsOf({ db }, child);
      if (hasStepCalled(own, written) || isCalledUnder({ step, beside, own }, written)) return true;
      for (const each of own) if (await hasBelow(child.id, each, own)) return true;
    }
    return false;
  };
  const holders: StepRow[] = [];
  for (const step of steps) if (await hasBelow(run.id, step, steps)) holders.push(step);
  return holders;
}

function stepsOf({ db }: Pick<RunDatabase, 'db'>, { id }: RunRow): Promise<StepRow[]> {
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
  const done = await doneAlong(on, run);
  const repeated: RepeatedStep[] = [];
  for (const step of steps) {
    if (isKept(step) || step.kind === 'event' || step.kind === 'value') continue;
    const { own, begun, jobs } = done(step.name);
    const runs = await planOfBegun(on, { begun, goesOn });
    const ofJobs = await planOfBegun(on, { begun: jobs, goesOn: false });
    const { cost: spent, ...rest } = sumOf([own, ...ofJobs, ...runs]);
    repeated.push({ name: step.name, spent, ...rest, ...(runs.length === 0 ? {} : { runs }) });
  }
  return {
    runId: run.id,
    kept: kept.filter((step) => !unknown.includes(step)).map(({ name }) => name),
    ...(unknown.length === 0 ? {} : { unknown: unknown.map(({ name }) => name) }),
    repeated,
    ...sumOf(repeated.map(({ spent: cost, unknownCalls }) => ({ cost, unknownCalls }))),
  };
}

/** What becomes of the runs that a step had begun: each, by whatever it goes on in, once. */
async function planOfBegun(
  on: RunDatabase,
  { begun, goesOn }: { readonly begun: readonly RunRow[]; readonly goesOn: boolean },
): Promise<NonNullable<RepeatedStep['runs']>> {
  const newest = new Map<string, { readonly run: RunRow; readonly row: RunRow }>();
  for (const row of begun) {
    const run = await newestOf(on, row);
    newest.set(run.id, { run, row });
  }
  const plans: NonNullable<RepeatedStep['runs']>[number][] = [];
  for (const { run, row } of newest.values()) {
    // One that somebody had go on to its end is no answer that the step has had.
    const isAnew = !goesOn || (await isOver(on, row));
    const rule = isAnew ? endedBefore(undefined) : goingOnBy(run, await wasTold(on, run));
    const plan = await planBy(on, { run, steps: await stepsOf(on, run), rule, goesOn: !isAnew });
    plans.push({ isAnew, ...plan, ...(isAnew ? { repeated: [] } : {}) });
  }
  return plans;
}

/** A sum, and how many calls it lacks. */
type Cost = Pick<RerunPlan, 'cost'> & { readonly unknownCalls?: number | undefined };

function sumOf(all: readonly Cost[]): Pick<RerunPlan, 'cost' | 'unknownCalls'> {
  const unknownCalls = all.reduce((sum, { unknownCalls = 0 }) => sum + unknownCalls, 0);
  return {
    cost: {
      tokens: all.reduce((sum, { cost }) => sum + cost.tokens, 0),
      costUsd: all.reduce((sum, { cost }) => sum + cost.costUsd, 0),
    },
    ...(unknownCalls === 0 ? {} : { unknownCalls }),
  };
}

/** What a step did when it was done last: its own calls, the runs that it began, and the jobs that only waited for some. */
interface Done {
  readonly own: Cost;
  readonly begun: readonly RunRow[];
  readonly jobs: readonly RunRow[];
}

/** Of each step of a run, looked up where it was done: in the run, or in the latest of those that it goes on from. */
async function doneAlong(on: RunDatabase, { id }: RunRow): Promise<(step: string) => Done> {
  const { db } = on;
  const line = [id, ...(await runsBefore(db, on, id))];
  const below = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('parent_id', 'in', line)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const paid: ReadonlyMap<string, StepCost>[] = [];
  for (const runId of line) paid.push(await paidBySteps(db, { runId, isKept: false }));
  const kept = await paidBySteps(db, { runId: id, isKept: true });
  return (name) => {
    const ofStep = below.filter(({ parent_step }) => parent_step === name);
    const lastOf = (rows: readonly RunRow[]) =>
      line
        .map((runId) => rows.filter(({ parent_id }) => parent_id === runId))
        .find(({ length }) => length > 0) ?? [];
    const begun = lastOf(ofStep.filter(({ kind }) => kind !== JOB_KIND));
    const jobs = lastOf(ofStep.filter(({ kind }) => kind === JOB_KIND));
    const asked = paid.flatMap((steps) => steps.get(name) ?? []).find(isAny);
    // Of a run that it does not go on from, such as one that was run again from a step, only what it kept is known here.
    const isElsewhere = !asked && ofStep.length === 0;
    const { spent, unknownCalls } = (isElsewhere ? kept.get(name) : asked) ?? NO_COST;
    return { own: { cost: spent, unknownCalls }, begun, jobs };
  };
}

const isAny = ({ spent: { tokens, costUsd }, unknownCalls }: StepCost) => tokens + costUsd + unknownCalls > 0;

const NO_COST: StepCost = { spent: NOTHING, unknownCalls: 0 };
