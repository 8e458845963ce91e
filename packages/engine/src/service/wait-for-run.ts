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
  let family: ReadonlySet<string> = new Set([id]);
  let poke = () => {};
  const stopListening = changes.onChange((runId) => {
    if (family.has(runId)) poke();
  });
  try {
    for (;;) {
      wait.signal.throwIfAborted();
      const changed = new Promise<void>((resolve) => {
        poke = resolve;
      });
      const row = await watched.find(id);
      family = new Set(await familyOf(on, id));
      if (wait.onEvent) for (const event of await newEvents(on, family, seen)) wait.onEvent(event);
      if (wait.ask) await putQuestions(on, family, { asked, ask: wait.ask });
      const leftMs = until - performance.now();
      const isOver = hasEnded(row.status) || (await statusOf(on, row, watched.isThere)) === 'paused';
      // As it is now: what it waits for may have come since it was read.
      if (isOver || leftMs <= 0) return watched.find(id);
      await first([changed], Math.min(POLL_MS, leftMs), wait.signal);
    }
  } finally {
    stopListening();
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

/** Waits for any of these, the time or the signal's end. */
async function first(events: readonly Promise<void>[], ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    onAbort = resolve;
    signal.addEventListener('abort', onAbort, { once: true });
  });
  await Promise.race([...events, over]);
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
}
