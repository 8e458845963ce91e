import type { Answer, AskedQuestion, RunEvent, WaitForRun } from '@nexus/plugin-sdk';
import { answerQuestion, toQuestion } from '../record/questions.ts';
import { hasEnded, type RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { toEvent } from '../views/run-detail.ts';
import { familyOf, type IsThere, statusOf } from '../views/run-view.ts';
import type { Changes } from '../worker/changes.ts';

/** How often a run is looked at that another process has: on SQLite nobody tells of it. */
const POLL_MS = 500;

export interface Watched {
  readonly on: RunDatabase;
  readonly changes: Changes;
  readonly isThere: IsThere;
  find(id: string): Promise<RunRow>;
}

/** The run's row once it has ended or paused, or the time is over; its events and questions on the way. */
export async function waitForRun(watched: Watched, id: string, wait: WaitForRun): Promise<RunRow> {
  const { on, changes } = watched;
  const until = performance.now() + (wait.waitMs ?? Number.POSITIVE_INFINITY);
  const seen = new Map<string, number>();
  const asked = new Set<string>();
  const isWatched = wait.onEvent !== undefined || wait.ask !== undefined;
  let rootId: string | undefined;
  let family: ReadonlySet<string> = new Set([id]);
  let isOnRecordOnly = false;
  let poke = () => {};
  const stopListening = changes.onChange((change) => {
    // What comes from elsewhere names no family; what is not known to be of this one is seen by looking.
    const { rootId: changedRoot } = change;
    const isOfFamily = changedRoot === undefined ? family.has(change.runId) : changedRoot === rootId;
    if (!isOfFamily || (change.what === 'record' && !isWatched)) return;
    isOnRecordOnly &&= change.what === 'record';
    poke();
  });
  try {
    for (;;) {
      wait.signal.throwIfAborted();
      const changed = new Promise<void>((resolve) => {
        poke = resolve;
      });
      const maySkip = isOnRecordOnly;
      isOnRecordOnly = true;
      const row = await watched.find(id);
      rootId = row.root_id;
      if (isWatched) await watch(row);
      const leftMs = until - performance.now();
      const isOver = hasEnded(row.status) || (!maySkip && (await isPaused(row)));
      // As it is now: what it waits for may have come since it was read.
      if (isOver || leftMs <= 0) return watched.find(id);
      const why = await first(changed, Math.min(POLL_MS, leftMs), wait.signal);
      if (why === 'time') isOnRecordOnly = false;
    }
  } finally {
    stopListening();
  }

  async function watch(row: RunRow): Promise<void> {
    family = new Set(await familyOf(on, row.id));
    if (wait.onEvent) for (const event of await newEvents(on, family, seen)) wait.onEvent(event);
    if (wait.ask) await putQuestions(on, family, { asked, ask: wait.ask });
  }

  async function isPaused(row: RunRow): Promise<boolean> {
    return (await statusOf(on, row, watched.isThere)) === 'paused';
  }
}

async function newEvents(
  { db }: RunDatabase,
  family: ReadonlySet<string>,
  seen: Map<string, number>,
): Promise<RunEvent[]> {
  const found: RunEvent[] = [];
  for (const runId of family) {
    const rows = await db
      .selectFrom('runs_events')
      .selectAll()
      .where('run_id', '=', runId)
      .where('seq', '>', seen.get(runId) ?? 0)
      .orderBy('seq')
      .execute();
    const last = rows.at(-1);
    if (last) seen.set(runId, last.seq);
    found.push(...rows.map(toEvent));
  }
  return found;
}

/** Each open question once; an answer that comes too late is nobody's. */
async function putQuestions(
  on: RunDatabase,
  family: ReadonlySet<string>,
  { asked, ask }: { asked: Set<string>; ask: (question: AskedQuestion) => Promise<Answer | undefined> },
): Promise<void> {
  const rows = await on.db
    .selectFrom('runs_questions')
    .selectAll()
    .where('run_id', 'in', [...family])
    .where('status', '=', 'open')
    .execute();
  for (const row of rows) {
    const key = `${row.run_id}\n${row.name}`;
    if (asked.has(key)) continue;
    asked.add(key);
    const question = toQuestion(row);
    const { runId, name, digest } = question;
    void ask(question)
      .then((answer) => answer && answerQuestion(on, { runId, name, digest, answer }))
      .catch(() => {});
  }
}

/** Waits for the event, the time or the signal's end. */
async function first(event: Promise<void>, ms: number, signal: AbortSignal): Promise<'time' | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const over = new Promise<'time' | undefined>((resolve) => {
    timer = setTimeout(resolve, ms, 'time');
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const why = await Promise.race([event, over]);
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  return why ?? undefined;
}
