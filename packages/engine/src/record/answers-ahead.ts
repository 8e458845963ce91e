import { type Answer, ToolError } from '@nexus/plugin-sdk';
import { mayBeOne, namesAhead, namesOfQuestion } from './question-names.ts';
import type { RunTransaction } from './run-database.ts';
import type { QuestionRow, StepRow } from './tables.ts';
import { fromStored } from './values.ts';
import { visitOf } from './visit-of.ts';

/*
 * Answers that came before their questions. Nobody has checked them: each is kept under the name that was written, once
 * for all names of the question, and is taken or let go as that is asked.
 */

/** What stands on record of a question as it is asked; `fault`: why what was kept for it is no answer to it. */
export interface Kept {
  readonly row?: QuestionRow | undefined;
  readonly fault?: string;
}

/** What was asked by this name before, or came ahead under any of its names: the first counts, and none stays kept. */
export async function takeOut(trx: RunTransaction, runId: string, name: string): Promise<Kept> {
  const rows = await trx
    .selectFrom('runs_questions')
    .selectAll()
    .where('run_id', '=', runId)
    .where('name', 'in', namesOfQuestion(name))
    .orderBy('answered_at')
    .execute();
  const asked = rows.find((row) => row.name === name && row.message !== null);
  if (asked) return { row: asked };
  const kept = rows.filter(({ message }) => message === null);
  if (kept.length === 0) return {};
  const names = namesAhead(name);
  const fitting = kept.filter((each) => names.includes(each.name));
  const out = (fitting.length > 0 ? fitting : kept).map((each) => each.name);
  await trx.deleteFrom('runs_questions').where('run_id', '=', runId).where('name', 'in', out).execute();
  return fitting.length > 0 ? { row: fitting[0] } : { fault: ofEachItem(out) };
}

function ofEachItem(names: readonly string[]): string {
  return `It was given to ${quoted(names)}, and each item of a loop goes by that.`;
}

/** What was kept ahead and may be to the question that is meant. */
export function keptAhead(rows: readonly QuestionRow[], written: string): QuestionRow | undefined {
  return rows.find(({ name, message }) => message === null && mayBeOne(name, written));
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for a name by which the run, as far as its record tells, asks nothing */
export async function assertMayAsk(
  trx: RunTransaction,
  {
    runId,
    rows,
    name,
  }: { readonly runId: string; readonly rows: readonly QuestionRow[]; readonly name: string },
  { action }: Answer,
): Promise<void> {
  const steps = await trx
    .selectFrom('runs_steps')
    .select(['name', 'ended_at'])
    .where('run_id', '=', runId)
    .where('kind', 'in', WORK)
    .execute();
  const nodes = await nodesOf(trx, runId);
  const called = steps.filter((step) => namesOfQuestion(step.name).includes(name));
  // One that is under way may come to ask for a yes to a call, which only a no can be said to ahead.
  const mayStillAsk = action === 'decline' && called.some(({ ended_at: endedAt }) => endedAt === null);
  const why =
    name.trim() === ''
      ? 'that is no name'
      : called.length > 0 && !mayStillAsk
        ? 'that is a step of it which is no question'
        : nodes && !nodes.includes(visitOf(name).node ?? name)
          ? 'it has no step of that name'
          : undefined;
  if (why === undefined) return;
  const isLeft = (node: string) =>
    ![...steps, ...rows].some((each) => namesOfQuestion(each.name).includes(node));
  const open = rows.filter(({ status }) => status === 'open').map((row) => row.name);
  const names = [...open, ...(nodes ?? []).filter(isLeft)];
  const way =
    names.length === 0
      ? `\`nexus runs ${runId}\` shows what it does and asks.`
      : `What it asks, or may come to ask, goes by ${quoted(names)}.`;
  const text = `Run ${runId} asks nothing by the name "${name}": ${why}. ${way}`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { runId, question: name, names } });
}

/** Steps that do something, and are no questions by that. */
const WORK = ['step', 'child', 'sleep'] as const satisfies readonly StepRow['kind'][];

/** The nodes of a graph, as it said at its beginning; undefined for a run that is none, or has not begun. */
async function nodesOf(trx: RunTransaction, runId: string): Promise<readonly string[] | undefined> {
  const graph = await trx
    .selectFrom('runs_steps')
    .select('output')
    .where('run_id', '=', runId)
    .where('name', '=', 'graph')
    .where('kind', '=', 'event')
    .executeTakeFirst();
  if (!graph) return undefined;
  const { nodes = [] } = (await fromStored(trx, runId, graph.output)) as {
    readonly nodes?: readonly { readonly name: string }[];
  };
  return nodes.map(({ name }) => name);
}

/** Answers that may wait for their questions, of one run. */
const MAX_EARLY = 20;
const MAX_EARLY_CHARS = 20_000;

/** @throws {ToolError} NEXUS_CONFLICT where too much is kept already that nobody asked for */
export function assertMayWait(runId: string, rows: readonly QuestionRow[], answer: string): void {
  const early = rows.filter(({ message }) => message === null);
  if (early.length < MAX_EARLY && answer.length <= MAX_EARLY_CHARS) return;
  const text = `Nothing of that name is asked by run ${runId}, and an answer may wait for its question only where it has at most ${MAX_EARLY_CHARS} characters and no more than ${MAX_EARLY} do. \`nexus runs ${runId}\` shows what is asked.`;
  throw new ToolError('NEXUS_CONFLICT', text);
}

export function keptAlready(runId: string, { name }: QuestionRow): ToolError {
  const text = `An answer to "${name}" of run ${runId}, which is not asked yet, is kept already, and the first counts. If it does not fit once that is asked, it is let go and the question stays open.`;
  return new ToolError('NEXUS_CONFLICT', text, { detail: { runId, question: name } });
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
