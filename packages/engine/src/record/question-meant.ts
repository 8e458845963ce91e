import { readForm } from '@nexus/core/forms';
import { type AskedQuestion, ToolError } from '@nexus/plugin-sdk';
import { keptAhead } from './answers-ahead.ts';
import { familyOf } from './family-of.ts';
import { saysThatItMayAsk } from './may-ask.ts';
import { questionsCalled } from './question-names.ts';
import { type AnswerRequest, openQuestions, questionRows } from './questions.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * What is meant by somebody who sees the questions of a run and of all below it, and names one: that of the run whose id
 * was written goes first, and one that both may be is neither's.
 * @throws {ToolError} NEXUS_CONFLICT naming those that may be meant
 */
export async function questionMeant(on: RunDatabase, request: AnswerRequest): Promise<AnswerRequest> {
  const { runId, name } = request;
  const asks = await openQuestions(on, await familyOf(on, runId));
  const ofRun = asks.filter((each) => each.runId === runId);
  const ofBelow = asks.filter((each) => each.runId !== runId);
  const own = name === undefined ? ofRun : questionsCalled(ofRun, name);
  const below = name === undefined ? ofBelow : questionsCalled(ofBelow, name);
  const all = [...own, ...below];
  // Of several of its own, where they are answered says so.
  if (below.length === 0 || (own.length > 0 && name !== undefined) || own.length === 1) return request;
  if (name !== undefined && (await mayBeOwn(on, { ...request, name }))) {
    if (!below.some((each) => hasItsFields(each, request.answer))) return request;
    throw alsoItsOwn(runId, name, below);
  }
  const [one] = all;
  if (all.length === 1 && one) return { ...request, runId: one.runId, name: one.name };
  const text = `${all.length} questions are open: ${listed(all)}. Name one, and its run.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { runId, questions: namesOf(all) } });
}

/** Whether the run itself has asked by a name, is kept an answer under it, or says that it may come to ask. */
async function mayBeOwn(
  on: RunDatabase,
  { runId, name, answer }: AnswerRequest & { readonly name: string },
): Promise<boolean> {
  const rows = await questionRows(on, on.db).where('run_id', '=', runId).execute();
  const asked = rows.filter(({ message }) => message !== null);
  const isKnown = questionsCalled(asked, name).length > 0 || keptAhead(rows, name) !== undefined;
  return isKnown || saysThatItMayAsk(on.db, { runId, name }, answer);
}

/** An answer to fields that a question does not have is to another one. */
function hasItsFields(
  { requestedSchema }: AskedQuestion,
  { content = {} }: AnswerRequest['answer'],
): boolean {
  const fields = new Set(readForm(requestedSchema).map(({ name }) => name));
  return Object.keys(content).every((name) => fields.has(name));
}

function alsoItsOwn(runId: string, name: string, below: readonly AskedQuestion[]): ToolError {
  const text = `"${name}" may be a question of run ${runId} itself, and goes for what a run below it asks now: ${listed(below)}. Name that run to answer it. What run ${runId} asks itself is answered once nothing below it is open under that name.`;
  return new ToolError('NEXUS_CONFLICT', text, {
    detail: { runId, question: name, questions: namesOf(below) },
  });
}

function listed(asks: readonly AskedQuestion[]): string {
  return asks.map(({ runId, name }) => `"${name}" of ${runId}`).join(', ');
}

function namesOf(asks: readonly AskedQuestion[]) {
  return asks.map(({ runId, name }) => ({ runId, name }));
}
