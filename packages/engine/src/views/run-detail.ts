import type { RunDetail, RunEvent, RunPage, RunStep } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { readKept } from '../record/answers-ahead.ts';
import { runsOfJob } from '../record/begun-runs.ts';
import { readError } from '../record/errors.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { isOfUnknownOutcome } from '../record/kept-steps.ts';
import { questionRows, toQuestion, withRefused } from '../record/questions.ts';
import { refusedSteps } from '../record/refused-steps.ts';
import { hasEnded, type RunDatabase } from '../record/run-database.ts';
import { spendingBySteps } from '../record/spending.ts';
import type { EventRow, RunRow, StepRow } from '../record/tables.ts';
import { blobNamedBy, digestOfText, fromStored } from '../record/values.ts';
import { type IsThere, isOrphan, isoTime, toRun, withoutNumber } from './run-view.ts';
import { longValues, type ShownValue, shownValue } from './shown-value.ts';
import { stepTitle } from './step-title.ts';

/** How deep a family is shown; a graph's continuations are of one level each. */
const MAX_DEPTH = 50;

/** How much of a family is shown: the room that is left counts down over all of it. */
interface Extent {
  readonly depth: number;
  readonly room: { steps: number } | undefined;
  readonly after?: number | undefined;
}

/** @param page by default all of it */
export function toRunDetail(
  on: RunDatabase,
  row: RunRow,
  { isThere, page }: { readonly isThere: IsThere; readonly page?: RunPage | undefined },
): Promise<RunDetail> {
  return detailOf(on, row, isThere, { depth: 0, room: page && { steps: page.most }, after: page?.after });
}

async function detailOf(on: RunDatabase, row: RunRow, isThere: IsThere, extent: Extent): Promise<RunDetail> {
  const { db } = on;
  const ofRun = row.id;
  const run = await toRun(on, row, isThere);
  const left = hasEnded(run.status) ? 'over' : (await isOrphan(row, isThere)) ? 'orphan' : undefined;
  const { steps, more } = await stepsOf(on, ofRun, extent);
  const keptAhead = hasEnded(run.status) ? [] : await readKept(db, ofRun);
  const questions = await questionRows(on, db)
    .where('run_id', '=', ofRun)
    .where('message', 'is not', null)
    .orderBy('asked_at')
    .execute();
  const rows = await db
    .selectFrom('runs_runs')
    .selectAll()
    .where('parent_id', '=', ofRun)
    .orderBy('created_at')
    .execute();
  const spent = await spendingBySteps(db, { rootId: row.root_id, runId: ofRun });
  const under = childrenOf(rows, steps, { ...extent, more });
  const [children, deeper] = extent.depth < MAX_DEPTH ? [under, []] : [[], under];
  const long = await longValues(
    on,
    ofRun,
    steps.flatMap(({ output }) => (output === null ? [] : (blobNamedBy(output) ?? []))),
  );
  const refused = refusedSteps(row, steps).at(-1);
  const why = refused && { refusal: cutEndCounted(readError(row.error)?.message ?? '', MAX_REFUSAL_CHARS) };
  const shown = steps.map((step) => ({
    ...toStep(step, { long, left }),
    ...(step === refused ? why : {}),
    spent: spent.get(step.name) ?? { tokens: 0, costUsd: 0 },
  }));
  // Before those of its children: what is shown of a run is shown whole before what came of its steps.
  const below = { depth: extent.depth + 1, room: extent.room };
  const families: RunDetail[] = [];
  for (const child of children) families.push(await detailOf(on, child, isThere, below));
  const begun = row.kind === JOB_KIND && extent.after === undefined ? await runsOfJob(on, row) : [];
  const edges = edgesOf(more === undefined ? steps : await graphEvents(on, ofRun, extent));
  return {
    ...run,
    input: await fromStored(db, ofRun, row.input),
    ...(row.definition === null ? {} : { definitionHash: digestOfText(row.definition).slice(0, 12) }),
    steps: shown,
    ...(more === undefined ? {} : { more }),
    ...(run.asks ? { asks: await withRefused(on, run.asks) } : {}),
    questions: await withRefused(on, questions.map(toQuestion)),
    ...(keptAhead.length === 0 ? {} : { keptAhead }),
    children: families,
    ...(deeper.length === 0 ? {} : { deeper: deeper.map(({ id }) => id) }),
    ...(begun.length === 0 ? {} : { begun: begun.map(({ id }) => id) }),
    ...(edges.length === 0 ? {} : { edges }),
  };
}

/** As many as there is room for, and how many there are beyond. */
async function stepsOf(
  { db }: RunDatabase,
  runId: string,
  { room, after }: Extent,
): Promise<{ readonly steps: StepRow[]; readonly more: RunDetail['more'] }> {
  const all = db
    .selectFrom('runs_steps')
    .where('run_id', '=', runId)
    .$if(after !== undefined, (query) => query.where('begin_seq', '>', after ?? 0));
  const ordered = all.selectAll().orderBy('begin_seq');
  if (room === undefined) return { steps: await ordered.execute(), more: undefined };
  const steps = room.steps === 0 ? [] : await ordered.limit(room.steps).execute();
  room.steps -= steps.length;
  if (room.steps > 0) return { steps, more: undefined };
  const { count } = await all
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const left = Number(count) - steps.length;
  const last = steps.at(-1)?.begin_seq ?? after ?? -1;
  return { steps, more: left === 0 ? undefined : { after: last, steps: left } };
}

/** What a graph said of itself, beyond the first page too; no further page says it again. */
async function graphEvents({ db }: RunDatabase, runId: string, { after }: Extent): Promise<StepRow[]> {
  if (after !== undefined) return [];
  return db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('kind', '=', 'event')
    .where('name', 'like', 'graph%')
    .orderBy('begin_seq')
    .execute();
}

/** Of a page, those that stand under its steps; under no step stand those of the first page. */
function childrenOf(
  rows: readonly RunRow[],
  steps: readonly StepRow[],
  { after, more }: Extent & { readonly more: RunDetail['more'] },
): readonly RunRow[] {
  if (after === undefined && more === undefined) return rows;
  const shown = new Set(steps.map(({ name }) => name));
  return rows.filter(({ parent_step: step }) => (step === null ? after === undefined : shown.has(step)));
}

interface Around {
  readonly long: ReadonlyMap<string, ShownValue>;
  /** Where nobody does what has no end: of an `orphan`, what waits goes on waiting. */
  readonly left: 'over' | 'orphan' | undefined;
}

function toStep(row: StepRow, { long, left }: Around): Omit<RunStep, 'spent'> {
  const error = readError(row.error);
  const node = /^([^/#]+)#\d+/.exec(row.name)?.[1];
  // An answer that has come and is not taken yet is still waited for; a run that is over waits for none.
  const isTaken = row.end_seq !== null || (left === 'over' && row.ended_at !== null);
  const isOpen = !isTaken && row.status !== 'running' && !isOfUnknownOutcome(row);
  const isDone = left === undefined || row.ended_at !== null || isOfUnknownOutcome(row);
  const isInterrupted = !isDone && (left === 'over' || row.status === 'running');
  return {
    name: row.name,
    title: stepTitle(row),
    kind: row.kind,
    status: isInterrupted ? 'interrupted' : isOpen ? 'waiting' : row.status,
    attempt: row.attempt,
    startedAt: isoTime(row.started_at),
    ...(row.ended_at === null ? {} : { endedAt: isoTime(row.ended_at) }),
    ...(error ? { error: withoutNumber(error) } : {}),
    ...(row.child_id === null ? {} : { childId: row.child_id }),
    ...(row.input === null ? {} : { input: JSON.parse(row.input) as ShownValue }), // as it was kept
    ...outputIn(row, long),
    ...refusalIn(row),
    ...(node === undefined ? {} : { node }),
  };
}

function outputIn(
  { kind, status, output }: StepRow,
  long: ReadonlyMap<string, ShownValue>,
): Pick<RunStep, 'output'> {
  if (status !== 'completed' || output === null || kind === 'event') return {};
  const hash = blobNamedBy(output);
  const shown = hash === undefined ? shownValue(output) : long.get(hash);
  return shown === undefined ? {} : { output: shown };
}

interface ToolAnswer {
  readonly type?: unknown;
  readonly isError?: unknown;
  readonly content?: readonly { readonly text?: unknown }[];
}

/** A step that has called a tool is done once the tool has answered, whatever it answered. */
function refusalIn({ kind, status, output }: StepRow): Pick<RunStep, 'refusal'> {
  if (kind !== 'step' || status !== 'completed') return {};
  const answer = inline<ToolAnswer | null>(output);
  if (typeof answer !== 'object' || answer?.isError !== true || !Array.isArray(answer.content)) return {};
  const texts = answer.content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return { refusal: cutEndCounted(texts.join('\n'), MAX_REFUSAL_CHARS) };
}

const MAX_REFUSAL_CHARS = 500;

interface GraphShape {
  readonly nodes: readonly { readonly name: string; readonly needs: readonly string[] }[];
}

/** As the graph said at its beginning, and the ways back that it took. */
function edgesOf(steps: readonly StepRow[]): NonNullable<RunDetail['edges']> {
  const ofEvent = (starts: string) =>
    steps.filter(({ kind, name }) => kind === 'event' && name.startsWith(starts));
  const [graph] = ofEvent('graph').filter(({ name }) => name === 'graph');
  const shape = inline<GraphShape>(graph?.output ?? null);
  if (!shape) return [];
  const forward = shape.nodes.flatMap(({ name, needs }) => needs.map((need) => ({ from: need, to: name })));
  const back = ofEvent('graph.again').flatMap(({ output }) => {
    const again = inline<{ from: string; to: readonly string[] }>(output);
    return again ? again.to.map((to) => ({ from: again.from, to, isBack: true })) : [];
  });
  const unique = new Map([...forward, ...back].map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  return [...unique.values()];
}

function inline<Value>(text: string | null): Value | undefined {
  return text === null || blobNamedBy(text) !== undefined ? undefined : (JSON.parse(text) as Value); // written by this package
}

export function toEvent(row: EventRow): RunEvent {
  const data = row.data === null ? undefined : JSON.parse(row.data);
  return {
    runId: row.run_id,
    seq: row.seq,
    type: row.type,
    ...(row.step === null ? {} : { step: row.step }),
    ...(row.step === null || row.type !== 'step.started'
      ? {}
      : { title: stepTitle({ name: row.step, title: data?.title ?? row.step }) }),
    ...(row.attempt === null ? {} : { attempt: row.attempt }),
    ...(data === undefined ? {} : { data }),
    at: isoTime(row.at),
  };
}
