import type { RunDetail, RunEvent, RunStep } from '@nexus/plugin-sdk';
import { readError } from '../record/errors.ts';
import { toQuestion } from '../record/questions.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { spendingBySteps } from '../record/spending.ts';
import type { EventRow, RunRow, StepRow } from '../record/tables.ts';
import { digestOfText, fromStored } from '../record/values.ts';
import { type IsThere, isoTime, toRun, withoutNumber } from './run-view.ts';
import { longValues, type ShownValue, shownValue } from './shown-value.ts';

/** How deep a family is shown; a graph's continuations are of one level each. */
const MAX_DEPTH = 50;

export async function toRunDetail(
  on: RunDatabase,
  row: RunRow,
  isThere: IsThere,
  depth = 0,
): Promise<RunDetail> {
  const { db } = on;
  const ofRun = row.id;
  const steps = await db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', ofRun)
    .orderBy('begin_seq')
    .execute();
  const questions = await db
    .selectFrom('runs_questions')
    .selectAll()
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
  const children = depth < MAX_DEPTH ? rows : [];
  const long = await longValues(
    on,
    ofRun,
    steps.flatMap(({ output }) => (output?.startsWith('@') ? [output.slice(1)] : [])),
  );
  const shown = steps.map((step) => ({
    ...toStep(step, long),
    spent: spent.get(step.name) ?? { tokens: 0, costUsd: 0 },
  }));
  const edges = edgesOf(steps);
  return {
    ...(await toRun(on, row, isThere)),
    input: await fromStored(db, ofRun, row.input),
    ...(row.definition === null ? {} : { definitionHash: digestOfText(row.definition).slice(0, 12) }),
    steps: shown,
    questions: questions.map(toQuestion),
    children: await Promise.all(children.map((child) => toRunDetail(on, child, isThere, depth + 1))),
    ...(edges.length === 0 ? {} : { edges }),
  };
}

function toStep(row: StepRow, long: ReadonlyMap<string, ShownValue>): Omit<RunStep, 'spent'> {
  const error = readError(row.error);
  const node = /^([^/#]+)#\d+/.exec(row.name)?.[1];
  // An answer that has come and is not taken yet is still waited for.
  const isOpen = row.end_seq === null && row.status !== 'running';
  return {
    name: row.name,
    title: row.title,
    kind: row.kind,
    status: isOpen ? 'waiting' : row.status,
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
  const shown = output.startsWith('@') ? long.get(output.slice(1)) : shownValue(output);
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
  return { refusal: texts.join('\n').slice(0, MAX_REFUSAL_CHARS) };
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
  return text === null || text.startsWith('@') ? undefined : (JSON.parse(text) as Value); // written by this package
}

export function toEvent(row: EventRow): RunEvent {
  return {
    runId: row.run_id,
    seq: row.seq,
    type: row.type,
    ...(row.step === null ? {} : { step: row.step }),
    ...(row.attempt === null ? {} : { attempt: row.attempt }),
    ...(row.data === null ? {} : { data: JSON.parse(row.data) }),
    at: isoTime(row.at),
  };
}
