import { type Answer, type RunDetail, ToolError } from '@nexus/plugin-sdk';
import { mayBeOne, namesAhead, namesOfQuestion } from './question-names.ts';
import { quoted } from './quoted.ts';
import type { RunTransaction } from './run-database.ts';
import type { QuestionRow } from './tables.ts';

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
export function keptAhead<Row extends QuestionRow>(rows: readonly Row[], written: string): Row | undefined {
  return rows.find(({ name, message }) => message === null && mayBeOne(name, written));
}

/** What is kept ahead of a run's questions, oldest first. */
export async function readKept(
  db: RunTransaction,
  runId: string,
): Promise<NonNullable<RunDetail['keptAhead']>> {
  const rows = await db
    .selectFrom('runs_questions')
    .select(['name', 'answer', 'answered_at'])
    .where('run_id', '=', runId)
    .where('message', 'is', null)
    .orderBy('answered_at')
    .orderBy('name')
    .execute();
  return rows.map(({ name, answer, answered_at: at }) => ({
    name,
    answer: JSON.parse(answer ?? '{}') as Answer, // written by `putAnswer`
    answeredAt: new Date(Number(at)).toISOString(),
  }));
}

/** What was to wait for its question waits in the run that goes on, and there alone: an answer is to one. */
export async function moveKept(
  trx: RunTransaction,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await trx
    .updateTable('runs_questions')
    .set({ run_id: to })
    .where('run_id', '=', from)
    .where('message', 'is', null)
    .execute();
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
