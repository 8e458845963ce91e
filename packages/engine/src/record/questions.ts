import { answerFaults, completeAnswer, DIGEST_CHARS, namesDigest, readWritten } from '@nexus/core/forms';
import { type Answer, type AskedQuestion, type Question, ToolError } from '@nexus/plugin-sdk';
import { type SelectQueryBuilder, sql } from 'kysely';
import { assertMayWait, keptAhead, keptAlready, takeOut } from './answers-ahead.ts';
import { wake } from './ending.ts';
import { addEvent, addOutsideEvent } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { assertMayAsk } from './may-ask.ts';
import { notOnRecord } from './not-on-record.ts';
import { questionsCalled } from './question-names.ts';
import { quoted } from './quoted.ts';
import { hasEnded, type RunDatabase, type RunTransaction } from './run-database.ts';
import { newStep } from './steps.ts';
import type { QuestionRow, RunRow, RunTables } from './tables.ts';
import { digestOf } from './values.ts';

/** Puts the question on record; one that was answered before it was asked has its answer at once, if it fits. */
export function askQuestion(
  on: RunDatabase,
  token: RunToken,
  { name, seq, question }: { name: string; seq: number; question: Question },
): OwnerChange<void> {
  const { message, timeoutMs } = question;
  const { runId } = token;
  const { now } = on.store;
  return {
    async work(trx) {
      const { answer, refused } = await put(trx, on, runId, { name, question });
      const data = { message, ...(refused === undefined ? {} : { refused }) };
      await addEvent(trx, on, runId, { seq, type: 'question.asked', step: name, attempt: 1, data });
      await trx
        .insertInto('runs_steps')
        .values({
          ...newStep(runId, { name, title: message.slice(0, 200), seq, kind: 'question' }),
          status: answer === null ? 'waiting' : 'completed',
          output: answer,
          // Taken by the run after that, as an answer is that comes later.
          ended_at: answer === null ? null : (now as never),
          wake_at: timeoutMs === undefined ? null : (sql`${now} + ${Math.round(timeoutMs)}` as never),
          started_at: now as never,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

/** A question of a step, which is done again from its beginning once all of its own are answered. */
export interface StepQuestion {
  readonly name: string;
  readonly question: Question;
}

/** Puts what a step asks for on record, and the step as one that waits. */
export function askForStep(
  on: RunDatabase,
  token: RunToken,
  step: {
    readonly name: string;
    readonly attempt: number;
    readonly seq: number;
    readonly asks: readonly StepQuestion[];
  },
): OwnerChange<void> {
  const { runId } = token;
  return {
    async work(trx) {
      let isOpen = false;
      const refused: Record<string, string> = {};
      for (const { name, question } of step.asks) {
        const { answer, refused: why } = await put(trx, on, runId, { name, question, step: step.name });
        isOpen ||= answer === null;
        if (why !== undefined) refused[name] = why;
      }
      const { seq, attempt } = step;
      const data = {
        questions: step.asks.map(({ name }) => name),
        ...(Object.keys(refused).length === 0 ? {} : { refused }),
      };
      await addEvent(trx, on, runId, { seq, type: 'step.asks', step: step.name, attempt, data });
      await trx
        .updateTable('runs_steps')
        .set({ status: 'waiting', attempt: step.attempt, wake_at: isOpen ? null : on.store.now })
        .where('run_id', '=', runId)
        .where('name', '=', step.name)
        .execute();
    },
  };
}

/** What was answered to a question of a step; undefined while nobody has. */
export async function answerOf(
  { db }: RunDatabase,
  runId: string,
  { name, question }: StepQuestion,
): Promise<Answer | undefined> {
  const row = await db
    .selectFrom('runs_questions')
    .select(['status', 'answer', 'digest'])
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .where('step', 'is not', null)
    .executeTakeFirst();
  const isThis = row?.status === 'answered' && row.digest === digestOf(question.subject);
  return isThis && row.answer !== null ? JSON.parse(row.answer) : undefined;
}

/** Whether a step waits for an answer. */
export async function isAsking({ db }: RunDatabase, runId: string, step: string): Promise<boolean> {
  const open = await db
    .selectFrom('runs_questions')
    .select('name')
    .where('run_id', '=', runId)
    .where('step', '=', step)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return open !== undefined;
}

/** @returns the answer, as JSON, where one came before its question; `refused`: why what came is none */
async function put(
  trx: RunTransaction,
  on: RunDatabase,
  runId: string,
  { name, question, step = null }: StepQuestion & { readonly step?: string | null },
): Promise<{ readonly answer: string | null; readonly refused?: string | undefined }> {
  const { message, requestedSchema, subject } = question;
  const digest = subject === undefined ? null : digestOf(subject);
  const { row: early, fault } = await takeOut(trx, runId, name);
  // What was said to something else is no answer to this, under whatever name it stands.
  const isOther = early?.message != null && early.digest !== digest;
  const taken = takeEarly(isOther ? undefined : early, {
    ...question,
    ...(digest === null ? {} : { digest }),
  });
  const answer = taken.answer === undefined ? null : JSON.stringify(taken.answer);
  const row = {
    message,
    schema: requestedSchema === undefined ? null : JSON.stringify(requestedSchema),
    subject: subject === undefined ? null : JSON.stringify(subject),
    digest,
    run_id: runId,
    name,
    step,
    status: answer === null ? ('open' as const) : ('answered' as const),
    answer,
    asked_at: on.store.now as never,
    answered_at: answer === null ? null : (early?.answered_at ?? null),
  };
  await trx
    .insertInto('runs_questions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet(row))
    .execute();
  return { answer, refused: fault ?? taken.fault };
}

const UNSEEN = 'A yes to something exact is given to what was shown, so not before it is asked for.';

/** What came before its question was checked by nobody: what does not answer it leaves it open. */
function takeEarly(
  early: QuestionRow | undefined,
  question: Pick<AskedQuestion, 'message' | 'requestedSchema' | 'digest'>,
): { readonly answer?: Answer; readonly fault?: string } {
  if (early?.answer == null) return {};
  const said = JSON.parse(early.answer) as Answer; // written by this file
  // Of a write that is made again: what was checked then is the answer still.
  const isEarly = early.message === null;
  // It was written before anybody knew its fields.
  const answer = isEarly ? readWritten(question, said) : said;
  // Nobody has seen what it is to.
  if (isEarly && question.digest !== undefined && answer.action === 'accept') return { fault: UNSEEN };
  const fault = isEarly ? faultOf(question, { answer, digest: early.digest ?? undefined }) : undefined;
  return fault === undefined ? { answer: completeAnswer(question, answer) } : { fault: fault.message };
}

/** Nobody answered in time. */
export function expireQuestion(on: RunDatabase, token: RunToken, name: string): OwnerChange<void> {
  return {
    isUnnumbered: true,
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
      await addOutsideEvent(trx, on, token.runId, { type: 'question.expired', step: name });
    },
  };
}

export interface AnswerRequest {
  readonly runId: string;
  /** Without it, the only one that is open. */
  readonly name: string | undefined;
  readonly digest: string | undefined;
  readonly answer: Answer;
  /** Whether its fields are text, as somebody wrote them. */
  readonly isWritten?: boolean;
}

/**
 * Answers a question once, and the one place where answers are checked; one that comes before its question waits
 * for it, and is checked then.
 * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_CONFLICT, NEXUS_INVALID_ARGUMENTS
 */
export async function answerQuestion(on: RunDatabase, request: AnswerRequest): Promise<AskedQuestion> {
  const answered = await putAnswer(on, request);
  on.onAnswered?.(answered);
  return answered;
}

async function putAnswer(on: RunDatabase, request: AnswerRequest): Promise<AskedQuestion> {
  const { runId, digest } = request;
  if (request.answer.action === 'cancel') {
    const text =
      'To cancel a dialogue answers nothing: the question stays open. Answer yes, no, or what it asks for.';
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  let asked = request.name;
  return on.write(async (trx, isAgain) => {
    // Locks the run: of two answers one is first, and a question is asked before or after.
    const run = await trx
      .updateTable('runs_runs')
      .set({ updated_at: on.store.now })
      .where('id', '=', runId)
      .returning(['id', 'status'])
      .executeTakeFirst();
    if (!run) throw notOnRecord(runId);
    const rows = await questionRows(on, trx).where('run_id', '=', runId).execute();
    const open = rows.filter(({ status }) => status === 'open');
    if (asked === undefined && open.length !== 1)
      throw hasEnded(run.status) ? asksNoMore(run) : whichOne(runId, open);
    const found = asked === undefined ? open[0] : rowMeant(runId, rows, asked);
    const name = found?.name ?? asked ?? '';
    asked = name;
    const question = found && toQuestion(found);
    const given = question && request.isWritten ? readWritten(question, request.answer) : request.answer;
    // As it is kept; what nobody has asked yet is completed when it is.
    const answer = () =>
      JSON.stringify(question && found.message !== null ? completeAnswer(question, given) : given);
    // By this very write, where its answer was lost.
    if (isAgain && found?.status === 'answered' && found.answer === answer()) return toQuestion(found);
    if (found && found.status !== 'open') throw tooLate(runId, found);
    if (hasEnded(run.status)) throw asksNoMore(run);
    const fault = question && faultOf(question, { answer: given, digest });
    if (fault) throw fault;
    const kept = answer();
    if (!found && digest !== undefined && request.answer.action === 'accept') throw unseen(runId, name);
    if (!found) await assertMayAsk(trx, { runId, rows, name }, request.answer);
    if (!found) assertMayWait(runId, rows, kept);
    const { expires_at: expiresAt = null, ...asking } = found ?? {
      run_id: runId,
      name,
      message: null,
      schema: null,
      subject: null,
      digest: digest ?? null,
      asked_at: on.store.now as never,
    };
    const row: QuestionRow = {
      ...asking,
      status: 'answered',
      answer: kept,
      answered_at: on.store.now as never,
    };
    await trx
      .insertInto('runs_questions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet(row))
      .execute();
    const ofStep = found?.step ?? undefined;
    await trx
      .updateTable('runs_steps')
      .set(
        ofStep === undefined
          ? { status: 'completed', output: kept, ended_at: on.store.now }
          : { wake_at: on.store.now },
      )
      .where('run_id', '=', runId)
      .where('name', '=', ofStep ?? name)
      .where('status', '=', 'waiting')
      .execute();
    await addOutsideEvent(trx, on, runId, { type: 'question.answered', step: name });
    await wake(trx, on, runId);
    const askedAt = found?.asked_at ?? (await on.store.readNow(trx));
    return toQuestion({ ...row, asked_at: askedAt, expires_at: expiresAt });
  });
}

/**
 * The question that is meant by a name: one that is open before what was answered, or came ahead, under the same.
 * @throws {ToolError} NEXUS_CONFLICT where several are open that go by it
 */
function rowMeant(runId: string, rows: readonly TimedQuestion[], written: string): TimedQuestion | undefined {
  const open = questionsCalled(
    rows.filter(({ status }) => status === 'open'),
    written,
  );
  if (open.length > 1) throw whichOne(runId, open);
  const asked = rows.filter(({ message }) => message !== null);
  return open[0] ?? questionsCalled(asked, written)[0] ?? keptAhead(rows, written);
}

/** A question, and until when it is answered: once that has passed it is open no more, whether or not its run took note. */
export interface TimedQuestion extends QuestionRow {
  readonly expires_at: number | null;
}

/** All that is asked, or was, or is kept ahead. */
export function questionRows({ store }: Pick<RunDatabase, 'store'>, db: RunTransaction) {
  const timed = db
    .selectFrom('runs_questions as asked')
    .leftJoin('runs_steps as asking', (join) =>
      join
        .onRef('asking.run_id', '=', 'asked.run_id')
        .onRef('asking.name', '=', 'asked.name')
        .on('asking.kind', '=', 'question'),
    )
    .select(['asked.run_id', 'asked.name', 'asked.message', 'asked.schema', 'asked.subject', 'asked.digest'])
    .select(['asked.answer', 'asked.asked_at', 'asked.answered_at', 'asked.step'])
    .select('asking.wake_at as expires_at')
    .select(
      sql<QuestionRow['status']>`case when asked.status = 'open' and asking.wake_at <= ${store.now}
        then 'expired' else asked.status end`.as('status'),
    );
  return db.selectFrom(timed.as('question')).selectAll();
}

/** What of these runs nobody has answered, oldest first. */
export async function openQuestions(
  on: RunDatabase,
  runs: readonly string[] | SelectQueryBuilder<RunTables, 'runs_runs', { id: string }>,
): Promise<readonly AskedQuestion[]> {
  const rows = await questionRows(on, on.db)
    .where('run_id', 'in', runs)
    .where('status', '=', 'open')
    .orderBy('asked_at')
    .orderBy('name')
    .execute();
  return rows.map(toQuestion);
}

/** The same, each with why what was kept ahead of it is no answer to it. */
export async function withRefused(
  { db }: RunDatabase,
  questions: readonly AskedQuestion[],
): Promise<readonly AskedQuestion[]> {
  if (questions.length === 0) return questions;
  const events = await db
    .selectFrom('runs_events')
    .select(['run_id', 'step', 'data'])
    .where('run_id', 'in', [...new Set(questions.map(({ runId }) => runId))])
    .where('type', 'in', ['question.asked', 'step.asks'])
    .where('data', 'like', '%"refused":%')
    .execute();
  const refused = new Map(
    events.flatMap(({ run_id: runId, step, data }) => {
      const { refused: why } = JSON.parse(data ?? '{}') as { refused?: string | Record<string, string> };
      const each = typeof why === 'string' ? [[step, why] as const] : Object.entries(why ?? {});
      return each.map(([name, text]) => [`${runId}/${name}`, text] as const);
    }),
  );
  return questions.map((question) => {
    const why = refused.get(`${question.runId}/${question.name}`);
    return why === undefined ? question : { ...question, refused: why };
  });
}

export function toQuestion(row: TimedQuestion): AskedQuestion {
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
    ...(row.expires_at === null ? {} : { expiresAt: new Date(Number(row.expires_at)).toISOString() }),
  };
}

/** What keeps an answer from being one: it names another subject than the question's, or does not fit its schema. */
function faultOf(
  question: Pick<AskedQuestion, 'message' | 'requestedSchema' | 'digest'> & Partial<AskedQuestion>,
  { answer, digest: named }: { answer: Answer; digest: string | undefined },
): ToolError | undefined {
  const { runId, name, digest } = question;
  const which = name === undefined ? 'The question' : `The question "${name}" of run ${runId}`;
  const detail = { runId, question: name };
  // A no allows nothing; where it says what it is about, that must be so too.
  const isNamed =
    digest === undefined || (named === undefined ? answer.action !== 'accept' : namesDigest(digest, named));
  if (!isNamed) {
    const about = `${which} is about something exact`;
    const isTooShort = named !== undefined && digest?.startsWith(named.toLowerCase()) === true;
    const text =
      named === undefined
        ? `${about}: a yes to it names its digest, ${digest}. Look at what it is for first.`
        : isTooShort
          ? `${about}, and ${named.length === 0 ? 'nothing' : named} is too little of its digest: name at least ${DIGEST_CHARS} digits of ${digest}.`
          : `${which} is about something else than was answered: its digest is ${digest}. Look at it again.`;
    return new ToolError('NEXUS_CONFLICT', text, { detail: { ...detail, digest } });
  }
  try {
    const faults = answerFaults(question, answer);
    if (faults.length === 0) return undefined;
    const listed = faults.map(({ field, message }) => `${field} ${message}`).join('; ');
    const text = `${which} is not answered by this: ${listed}.`;
    return new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { ...detail, faults } });
  } catch (error) {
    // Asked by a release that took any schema.
    const why = (error as Error).message;
    return new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `${which} can't be answered with yes: ${why}. Answer no, or cancel the run.`,
    );
  }
}

function asksNoMore({ id, status }: Pick<RunRow, 'id' | 'status'>): ToolError {
  return new ToolError('NEXUS_CONFLICT', `Run ${id} is ${status}: it asks nothing any more.`);
}

function whichOne(runId: string, open: readonly QuestionRow[]): ToolError {
  if (open.length === 0)
    return new ToolError(
      'NEXUS_CONFLICT',
      `Run ${runId} asks nothing now; name the question to answer it ahead.`,
    );
  const names = quoted(open.map(({ name }) => name));
  return new ToolError('NEXUS_CONFLICT', `Run ${runId} asks ${open.length} questions: name one of ${names}.`);
}

function unseen(runId: string, name: string): ToolError {
  const text = `Run ${runId} does not ask "${name}": ${UNSEEN.charAt(0).toLowerCase()}${UNSEEN.slice(1)} \`nexus runs ${runId}\` shows what is asked.`;
  return new ToolError('NEXUS_CONFLICT', text, { detail: { runId, question: name } });
}

function tooLate(runId: string, row: TimedQuestion): ToolError {
  const { name, status, message } = row;
  if (message === null) return keptAlready(runId, row);
  const { expiresAt } = toQuestion(row);
  const why =
    status === 'expired' && expiresAt !== undefined
      ? `expired: nobody answered it by ${expiresAt}, and its run goes on by that, as \`cancel\``
      : `${status} already`;
  return new ToolError('NEXUS_CONFLICT', `The question "${name}" of run ${runId} is ${why}.`);
}
