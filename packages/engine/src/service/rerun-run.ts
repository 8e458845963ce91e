import type { PlanRerun, RerunPlan, Spend } from '@nexus/plugin-sdk';
import { newestOf, runsBefore, wasTold } from '../record/begun-before.ts';
import { type DoneBefore, doneBefore, type RunBefore } from '../record/done-before.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import {
  endedBefore,
  goingOnBy,
  isOfUnknownOutcome,
  type KeepRule,
  stoodWellOrUnknown,
  takeUpBy,
} from '../record/kept-steps.ts';
import { toMicros, toUsd } from '../record/micros.ts';
import { untilRefused } from '../record/refused-steps.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { NOTHING, paidBySteps, type StepCost } from '../record/spending.ts';
import type { RunRow, StepRow } from '../record/tables.ts';
import { untoldOf } from '../record/told.ts';
import { firstStepOf, hasStepCalled, isCalledUnder } from './first-step-of.ts';

/** What running again from a step keeps, and what it does again at what cost. */
export async function planRerun(
  on: RunDatabase,
  run: RunRow,
  { from, goesOn = false }: PlanRerun,
): Promise<{ readonly plan: RerunPlan; readonly rule: KeepRule }> {
  const steps = await stepsOf(on, run);
  const start = from === undefined ? undefined : await startOf(on, run, { steps, written: from });
  const untold = await untoldOf(on, run);
  const ruleOn = untold?.id === run.id ? stoodWellOrUnknown : takeUpBy(run);
  const rule = goesOn ? ruleOn : endedBefore(start);
  const plan = await planBy(on, { run, steps, rule, goesOn });
  return { plan: { ...plan, ...(untold ? { toldFirst: untold.id } : {}) }, rule };
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

function stepsOf({ db }: Pick<RunDatabase, 'db'>, { id }: Pick<RunRow, 'id'>): Promise<StepRow[]> {
  return db.selectFrom('runs_steps').selectAll().where('run_id', '=', id).orderBy('begin_seq').execute();
}

/** Steps of the runs before that stood for none after them, and that this one ended too early to come to. */
async function stepsAhead(on: RunDatabase, [run, ...before]: readonly RunBefore[]): Promise<StepRow[]> {
  const known = new Set((run ? await stepsOf(on, run) : []).map(({ name }) => name));
  const ahead: StepRow[] = [];
  for (const each of before) {
    for (const step of await stepsOf(on, each)) {
      if (known.has(step.name)) continue;
      known.add(step.name);
      ahead.push(step);
    }
  }
  return ahead;
}

/** Those of the line that a step goes on from: none where its answer was refused, and it has not ended since. */
async function usefulOf(
  { db }: RunDatabase,
  line: readonly RunBefore[],
  name: string,
): Promise<readonly RunBefore[]> {
  const since = untilRefused(line, name);
  if (since.length === line.length || since.length === 0) return since;
  const ids = since.map(({ id }) => id);
  const ended = await db
    .selectFrom('runs_steps')
    .select('name')
    .where('run_id', 'in', ids)
    .where('name', '=', name)
    .where('status', 'in', ['completed', 'failed'])
    .executeTakeFirst();
  return ended ? since : [];
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
  const line = [run, ...(await runsBefore(on.db, on, run.id))];
  const done = await doneAlong(on, line);
  const ahead = goesOn && run.status !== 'completed' ? await stepsAhead(on, line) : [];
  const repeated: RepeatedStep[] = [];
  for (const step of [...steps.filter((each) => !isKept(each)), ...ahead]) {
    if (step.kind === 'event' || step.kind === 'value') continue;
    const { name } = step;
    const useful = goesOn ? await usefulOf(on, line, name) : [];
    const isAnew = useful.length === 0;
    const { own, begun, jobs } = done(name, isAnew ? line : useful);
    const before = isAnew ? undefined : await doneBefore(on, line, name);
    const answered = answersOf(step, before);
    const again = isAnew ? await onceIn(on, line, step) : before?.wasTold ? [name] : [];
    const runs = await planOfBegun(on, { begun, isAnew });
    // One that is over has its answer, as the run has that it waited for.
    const left = jobs.filter(({ status }) => isAnew || status !== 'completed');
    const ofJobs = await planOfBegun(on, { begun: left, isAnew: true });
    const { cost: spent, ...rest } = sumOf([without(own, answered?.spent), ...ofJobs, ...runs]);
    repeated.push({
      ...{ name, spent, ...rest },
      ...(answered === undefined ? {} : { answered }),
      ...(again.length === 0 ? {} : { again }),
      ...(runs.length === 0 ? {} : { runs }),
    });
  }
  return {
    runId: run.id,
    kept: kept.filter((step) => !unknown.includes(step)).map(({ name }) => name),
    ...(unknown.length === 0 ? {} : { unknown: unknown.map(({ name }) => name) }),
    repeated,
    ...costOf(repeated),
  };
}

function costOf(repeated: readonly RepeatedStep[]): Pick<RerunPlan, 'cost' | 'costAtMost' | 'unknownCalls'> {
  const sum = sumOf(repeated.map(({ spent: cost, unknownCalls }) => ({ cost, unknownCalls })));
  const answered = repeated.flatMap(({ answered, runs = [] }) => [
    ...(answered && answered.calls > 0 ? [answered.spent] : []),
    ...runs.flatMap(({ cost, costAtMost: most }) => (most ? less(most, cost) : [])),
  ]);
  if (answered.length === 0) return sum;
  const { cost: costAtMost } = sumOf([sum, ...answered.map((cost) => ({ cost }))]);
  return { ...sum, costAtMost };
}

/** What becomes of the runs that a step had begun: each, by whatever it goes on in, once. */
async function planOfBegun(
  on: RunDatabase,
  { begun, isAnew }: { readonly begun: readonly RunRow[]; readonly isAnew: boolean },
): Promise<NonNullable<RepeatedStep['runs']>> {
  const newest = new Map<string, RunRow>();
  for (const row of begun) {
    const run = await newestOf(on, row);
    newest.set(run.id, run);
  }
  const plans: NonNullable<RepeatedStep['runs']>[number][] = [];
  for (const run of newest.values()) {
    const rule = isAnew ? endedBefore(undefined) : goingOnBy(run, await wasTold(on, run));
    const plan = await planBy(on, { run, steps: await stepsOf(on, run), rule, goesOn: !isAnew });
    plans.push({ isAnew, ...plan, ...(isAnew ? { repeated: plan.repeated.filter(hasOnce) } : {}) });
  }
  return plans;
}

/** What was done in a step, or may have been, that must not be done twice. */
async function onceIn(
  { db }: RunDatabase,
  line: readonly Pick<RunRow, 'id'>[],
  { name, kind }: StepRow,
): Promise<string[]> {
  if (kind !== 'step') return [];
  const ids = line.map(({ id }) => id);
  // Of one that was cut off before it did it again, the record says so of the run before.
  const once = db.selectFrom('runs_steps').select('name').where('run_id', 'in', ids).where('name', '=', name);
  if (!(await once.where('is_repeatable', '=', 0).executeTakeFirst())) return [];
  const calls = db.selectFrom('runs_calls').select('tool').distinct().where('run_id', 'in', ids);
  const tools = (await calls.where('step', '=', name).execute()).map(({ tool }) => tool);
  return tools.length === 0 ? [name] : tools;
}

function hasOnce({ again = [], runs = [] }: RepeatedStep): boolean {
  return again.length > 0 || runs.some(({ repeated }) => repeated.some(hasOnce));
}

/** What a step that is done again is given of its calls, where it makes the same; nothing where it made none. */
function answersOf(step: StepRow, before: DoneBefore | undefined): RepeatedStep['answered'] {
  if (!before) return undefined;
  const { paid, calls, isOnce, completed, wasTold, digest } = before;
  const tools = wasTold ? [] : [...new Set(calls.map(({ tool }) => tool))];
  const isWhole = tools.length === 0 && isOnce && completed !== undefined;
  const once = isWhole ? [step.name] : tools;
  if (paid.length + once.length === 0) return undefined;
  const spent = {
    tokens: paid.reduce((sum, { tokens }) => sum + Number(tokens), 0),
    costUsd: toUsd(paid.reduce((sum, { micros }) => sum + Number(micros), 0)),
  };
  return {
    calls: paid.length,
    spent,
    ...(once.length === 0 ? {} : { once }),
    ...(isWhole && digest === null ? { isUnsaid: true } : {}),
  };
}

/** What is left to be paid of a step, where some of its calls have their answers. */
function without({ cost, ...rest }: Cost, answered: Spend = NOTHING): Cost {
  return { ...rest, cost: less(cost, answered) };
}

function less(from: Spend, of: Spend): Spend {
  return {
    tokens: Math.max(0, from.tokens - of.tokens),
    costUsd: toUsd(Math.max(0, toMicros(from.costUsd) - toMicros(of.costUsd))),
  };
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
async function doneAlong(
  { db }: RunDatabase,
  runs: readonly Pick<RunRow, 'id'>[],
): Promise<(step: string, among: readonly Pick<RunRow, 'id'>[]) => Done> {
  const line = runs.map(({ id }) => id);
  const below = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('parent_id', 'in', line)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const paid = new Map<string, ReadonlyMap<string, StepCost>>();
  for (const runId of line) paid.set(runId, await paidBySteps(db, { runId, isKept: false }));
  const kept = await paidBySteps(db, { runId: line[0] ?? '', isKept: true });
  return (name, among) => {
    const ids = among.map(({ id }) => id);
    const ofStep = below.filter(
      ({ parent_id: id, parent_step }) => parent_step === name && ids.includes(id ?? ''),
    );
    const lastOf = (rows: readonly RunRow[]) =>
      ids
        .map((runId) => rows.filter(({ parent_id }) => parent_id === runId))
        .find(({ length }) => length > 0) ?? [];
    const begun = lastOf(ofStep.filter(({ kind }) => kind !== JOB_KIND));
    const jobs = lastOf(ofStep.filter(({ kind }) => kind === JOB_KIND));
    const asked = ids.flatMap((runId) => paid.get(runId)?.get(name) ?? []).find(isAny);
    // Of a run that it does not go on from, such as one that was run again from a step, only what it kept is known here.
    const isElsewhere = !asked && ofStep.length === 0;
    const { spent, unknownCalls } = (isElsewhere ? kept.get(name) : asked) ?? NO_COST;
    return { own: { cost: spent, unknownCalls }, begun, jobs };
  };
}

const isAny = ({ spent: { tokens, costUsd }, unknownCalls }: StepCost) => tokens + costUsd + unknownCalls > 0;

const NO_COST: StepCost = { spent: NOTHING, unknownCalls: 0 };
