import { type Answer, type AskedQuestion, type Question, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { wake } from './ending.ts';
import { addEvent, addOutsideEvent } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { hasEnded, type RunDatabase } from './run-database.ts';
import { newStep } from './steps.ts';
import type { QuestionRow } from './tables.ts';
import { digestOf } from './values.ts';

/** Puts the question on record; one that was answered before it was asked has its answer at once. */
export function askQuestion(
  on: RunDatabase,
  token: RunToken,
  { name, seq, question }: { name: string; seq: number; question: Question },
): OwnerChange<void> {
  const { message, requestedSchema, subject, timeoutMs } = question;
  const digest = subject === undefined ? null : digestOf(subject);
  const asked = {
    message,
    schema: requestedSchema === undefined ? null : JSON.stringify(requestedSchema),
    subject: subject === undefined ? null : JSON.stringify(subject),
    digest,
  };
  const { runId } = token;
  const { now } = on.store;
  return {
    async work(trx) {
      const early = await trx
        .selectFrom('runs_questions')
        .selectAll()
        .where('run_id', '=', runId)
        .where('name', '=', name)
        .executeTakeFirst();
      const answer = early && (digest === null || early.digest === digest) ? early.answer : null;
      const row = {
        ...asked,
        run_id: runId,
        name,
        status: answer === null ? ('open' as const) : ('answered' as const),
        answer,
        asked_at: now as never,
        answered_at: null,
      };
      await trx
        .insertInto('runs_questions')
        .values(row)
        .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet(row))
        .execute();
      await addEvent(trx, on, runId, {
        seq,
        type: 'question.asked',
        step: name,
        attempt: 1,
        data: { message },
      });
      await trx
        .insertInto('runs_steps')
        .values({
          ...newStep(runId, { name, title: message.slice(0, 200), seq, kind: 'question' }),
          status: answer === null ? 'waiting' : 'completed',
          output: answer,
          wake_at: timeoutMs === undefined ? null : (sql`${now} + ${Math.round(timeoutMs)}` as never),
          started_at: now as never,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

/** Nobody answered in time. */
export function expireQuestion(on: RunDatabase, token: RunToken, name: string): OwnerChange<void> {
  return {
    async work(trx) {
      const answer: Answer = { action: 'cancel' };
      const expired = await trx
        .updateTable('runs_steps')
        .set({ status: 'completed', output: JSON.stringify(answer), ended_at: on.store.now })
        .where('run_id', '=', token.runId)
        .where('name', '=', name)
        .where('status', '=', 'waiting')
        .where('wake_at', '<=', on.store.now)
        .returning('name')
        .executeTakeFirst();
      if (!expired) return;
      await trx
        .updateTable('runs_questions')
        .set({ status: 'expired' })
        .where('run_id', '=', token.runId)
        .where('name', '=', name)
        .execute();
    },
  };
}

export interface AnswerRequest {
  readonly runId: string;
  /** Without it, the only one that is open. */
  readonly name: string | undefined;
  readonly digest: string | undefined;
  readonly answer: Answer;
}

/**
 * Answers a question once; an answer that comes before its question waits for it.
 * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_CONFLICT
 */
export function answerQuestion(on: RunDatabase, request: AnswerRequest): Promise<AskedQuestion> {
  const { runId, digest } = request;
  const answer = JSON.stringify(request.answer);
  return on.db.transaction().execute(async (trx) => {
    // Locks the run: of two answers one is first, and a question is asked before or after.
    const run = await trx
      .updateTable('runs_runs')
      .set({ updated_at: on.store.now })
      .where('id', '=', runId)
      .returning(['id', 'status'])
      .executeTakeFirst();
    if (!run) throw new ToolError('NEXUS_NOT_FOUND', `No run ${runId}.`);
    const rows = await trx.selectFrom('runs_questions').selectAll().where('run_id', '=', runId).execute();
    const open = rows.filter(({ status }) => status === 'open');
    if (request.name === undefined && open.length !== 1) throw whichOne(runId, open);
    const name = request.name ?? open[0]?.name ?? '';
    const found = rows.find((row) => row.name === name);
    if (found && found.status !== 'open') throw tooLate(runId, found);
    if (hasEnded(run.status))
      throw new ToolError('NEXUS_CONFLICT', `Run ${runId} is ${run.status}: it asks nothing any more.`);
    if (found && found.digest !== null && found.digest !== digest) {
      const text = `The question "${name}" of run ${runId} is about something else than was answered: its digest is ${found.digest}. Look at it again.`;
      throw new ToolError('NEXUS_CONFLICT', text);
    }
    const row: QuestionRow = {
      ...(found ?? {
        run_id: runId,
        name,
        message: null,
        schema: null,
        subject: null,
        digest: digest ?? null,
        asked_at: on.store.now as never,
      }),
      status: 'answered',
      answer,
      answered_at: on.store.now as never,
    };
    await trx
      .insertInto('runs_questions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet(row))
      .execute();
    await trx
      .updateTable('runs_steps')
      .set({ status: 'completed', output: answer, ended_at: on.store.now })
      .where('run_id', '=', runId)
      .where('name', '=', name)
      .where('status', '=', 'waiting')
      .execute();
    await addOutsideEvent(trx, on, runId, { type: 'question.answered', step: name });
    await wake(trx, on, runId);
    return toQuestion({ ...row, asked_at: found?.asked_at ?? Date.now() });
  });
}

export function toQuestion(row: QuestionRow): AskedQuestion {
  return {
    runId: row.run_id,
    name: row.name,
    message: row.message ?? '',
    ...(row.schema === null ? {} : { requestedSchema: JSON.parse(row.schema) }),
    ...(row.subject === null ? {} : { subject: JSON.parse(row.subject) }),
    ...(row.digest === null ? {} : { digest: row.digest }),
    status: row.status,
    ...(row.answer === null ? {} : { answer: JSON.parse(row.answer) }),
    askedAt: new Date(row.asked_at).toISOString(),
  };
}

function whichOne(runId: string, open: readonly QuestionRow[]): ToolError {
  if (open.length === 0)
    return new ToolError(
      'NEXUS_CONFLICT',
      `Run ${runId} asks nothing now; name the question to answer it ahead.`,
    );
  const names = open.map(({ name }) => `"${name}"`).join(', ');
  return new ToolError('NEXUS_CONFLICT', `Run ${runId} asks ${open.length} questions: name one of ${names}.`);
}

function tooLate(runId: string, { name, status }: QuestionRow): ToolError {
  return new ToolError('NEXUS_CONFLICT', `The question "${name}" of run ${runId} is ${status} already.`);
}
