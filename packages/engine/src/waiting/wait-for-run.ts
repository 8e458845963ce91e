import type { AskedQuestion, RunEvent, WaitForRun } from '@nexus/plugin-sdk';
import type { Ground, Timer } from '../ground.ts';
import { familyOf } from '../record/family-of.ts';
import { prepared } from '../record/prepared.ts';
import { openQuestions } from '../record/questions.ts';
import { hasEnded, type RunDatabase } from '../record/run-database.ts';
import type { EventRow, RunRow } from '../record/tables.ts';
import { toEvent } from '../views/run-detail.ts';
import { type IsThere, isWorking, shownStatus } from '../views/run-view.ts';
import type { Changes } from '../worker/changes.ts';
import { Dialogues } from './dialogues.ts';

/** How often a run is looked at though nobody has told of it: what is told can be lost. */
const POLL_MS = 3_000;
/** Sooner than a person can tell: a run that is over by then is looked at once. */
const FIRST_LOOK_MS = 20;

export interface Watched {
  readonly on: RunDatabase;
  readonly changes: Changes;
  readonly isThere: IsThere;
  find(id: string): Promise<RunRow>;
  /** Whether a run is here and does something: it stands nowhere then. */
  isAtWork(id: string): boolean;
  /** Of a job: the runs that it waits for and that are no children of it. */
  begun?(row: RunRow): Promise<readonly RunRow[]>;
  /** Whoever waits sees to it that somebody goes on. */
  follow(rootId: string): void;
  /** Whoever wants to hear of each event has to say so. */
  watch(rootId: string): void;
}

/** The record for one who waits: without a time of his own, for as long as his signal lets him. */
export function doorOf(
  on: RunDatabase,
  { signal, waitMs }: Pick<WaitForRun, 'signal' | 'waitMs'>,
): RunDatabase {
  return on.waiting({ signal, ...(waitMs === undefined ? { forMs: Number.POSITIVE_INFINITY } : {}) });
}

/**
 * The run's row once it has ended or paused, or the time is over, or all that it waits for was left open; its
 * events and questions on the way.
 */
export async function waitForRun(watched: Watched, id: string, wait: WaitForRun): Promise<RunRow> {
  const { on, changes } = watched;
  const until = on.ground.now() + (wait.waitMs ?? Number.POSITIVE_INFINITY);
  const seen = new Map<string, number>();
  const isWatched = wait.onEvent !== undefined || wait.ask !== undefined;
  let rootId: string | undefined;
  let family: ReadonlySet<string> = new Set([id]);
  let isOnRecordOnly = false;
  let poke = () => {};
  let open: readonly AskedQuestion[] = [];
  let begun: readonly string[] = [];
  using dialogues =
    wait.ask &&
    new Dialogues(on, wait.ask, () => {
      isOnRecordOnly = false;
      poke();
    });
  const stopListening = changes.onChange((change) => {
    // What comes from elsewhere names no family; what is not known to be of this one is seen by looking.
    const { rootId: changedRoot } = change;
    const isOfFamily =
      change.runId === id || (changedRoot === undefined ? family.has(change.runId) : changedRoot === rootId);
    if (!isOfFamily || (change.what === 'record' && !isWatched)) return;
    isOnRecordOnly &&= change.what === 'record';
    poke();
  });
  const stopCounting = changes.onProgress((runId, { message, done, total }, ofRoot) => {
    if (done === undefined || total === undefined) return;
    // Before the first look: of the run itself, and of those below it where it is the first.
    if (ofRoot === (rootId ?? id) || family.has(runId)) wait.onCount?.({ runId, message, done, total });
  });
  try {
    if (watched.isAtWork(id)) {
      const changed = new Promise<void>((resolve) => {
        poke = resolve;
      });
      const ms = Math.min(FIRST_LOOK_MS, until - on.ground.now());
      await first(on.ground, changed, { ms, signal: wait.signal });
    }
    for (;;) {
      wait.signal.throwIfAborted();
      const changed = new Promise<void>((resolve) => {
        poke = resolve;
      });
      const maySkip = isOnRecordOnly;
      isOnRecordOnly = true;
      const row = await watched.find(id);
      rootId = row.root_id;
      const isEnded = hasEnded(row.status);
      if (!isEnded) watched.follow(rootId);
      if (isWatched && !isEnded) watched.watch(rootId);
      if (isWatched) await watch(row);
      if (isEnded) return row;
      const leftMs = until - on.ground.now();
      const isStill = !maySkip && !watched.isAtWork(id) && (await isPaused(row));
      if (isStill || (await isLeftOpen()) || leftMs <= 0) {
        // As it is now: what it waits for may have come since it was read.
        const now = await watched.find(id);
        // Nobody is told that it runs where it was found to stand: one of its family may move a moment later.
        return isStill && !hasEnded(now.status) ? { ...now, status: 'paused' } : now;
      }
      const why = await first(on.ground, changed, { ms: Math.min(POLL_MS, leftMs), signal: wait.signal });
      if (why === 'time') isOnRecordOnly = false;
    }
  } finally {
    stopListening();
    stopCounting();
  }

  async function watch(row: RunRow): Promise<void> {
    begun = ((await watched.begun?.(row)) ?? []).map((run) => run.id);
    const members = (await Promise.all([row.id, ...begun].map((each) => familyOf(on, each)))).flat();
    family = new Set(members);
    if (wait.onEvent) for (const event of await newEvents(on, family, seen)) wait.onEvent(event);
    if (!dialogues) return;
    // What is over asks nothing.
    open = hasEnded(row.status) ? [] : await openQuestions(on, members);
    dialogues.put(open);
  }

  async function isPaused(row: RunRow): Promise<boolean> {
    return (await shownStatus(on, row, watched.isThere)) === 'paused';
  }

  async function isLeftOpen(): Promise<boolean> {
    if (dialogues?.isLeft(open) !== true) return false;
    // A job does nothing but to wait for the runs that it began.
    const working = begun.length === 0 ? [...family] : [...family].filter((each) => each !== id);
    return !(await isWorking(on, working));
  }
}

async function newEvents(
  on: RunDatabase,
  family: ReadonlySet<string>,
  seen: Map<string, number>,
): Promise<RunEvent[]> {
  const found: RunEvent[] = [];
  for (const runId of family) {
    const { rows } = await eventsAfter(on.db, on, { run_id: runId, seq: seen.get(runId) ?? 0 });
    const events = rows as EventRow[];
    const last = events.at(-1);
    if (last) seen.set(runId, last.seq);
    found.push(...events.map(toEvent));
  }
  return found;
}

const eventsAfter = prepared<Pick<EventRow, 'run_id' | 'seq'>>((db, slot) =>
  db
    .selectFrom('runs_events')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('seq', '>', slot('seq'))
    .orderBy('seq'),
);

/** Waits for the event, the time or the signal's end. @returns `time` where that came first */
export async function first(
  ground: Ground,
  event: Promise<void>,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<'time' | undefined> {
  let timer: Timer | undefined;
  let onAbort = () => {};
  const over = new Promise<'time' | undefined>((resolve) => {
    timer = ground.after(ms, () => resolve('time'));
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  const why = await Promise.race([event, over]);
  ground.clear(timer);
  signal.removeEventListener('abort', onAbort);
  return why ?? undefined;
}
