import { RECORD_CHANNEL, type RunDatabase, WATCH_CHANNEL } from '../record/run-database.ts';

/** How long a family counts as followed from elsewhere after that was said last. */
const WATCHED_MS = 60_000;
const SAY_AGAIN_MS = 20_000;
/** Sooner than a person can tell, and seldom enough for a run of quick steps. */
const SOON_MS = 100;

/** Progress of runs between processes: told only while somebody says that he follows it. */
export interface WatchedElsewhere {
  /** Something of a run of this process is on record. */
  recorded(runId: string, rootId: string): void;
  /** Somebody here follows a family that another process has. */
  watch(rootId: string): void;
  close(): void;
}

/**
 * @param runHere a run of a family that this process has
 * @param heard a run of another process got further
 */
export async function watchedElsewhere(
  { store, ground }: RunDatabase,
  { runHere, heard }: { runHere(rootId: string): string | undefined; heard(runId: string): void },
): Promise<WatchedElsewhere> {
  /** Families that others follow, and until when. */
  const watched = new Map<string, number>();
  /** Families followed here, and when that was said. */
  const said = new Map<string, number>();
  const recorded = new Set<string>();
  /** A hint: who follows looks for himself too, only later. */
  const say = (channel: string, payload: string) => void store.notify(channel, payload).catch(() => {});
  const prune = (times: Map<string, number>, before: number) => {
    for (const [rootId, at] of times) if (at < before) times.delete(rootId);
  };

  function tellSoon(runId: string): void {
    const isToldAlready = recorded.size > 0;
    recorded.add(runId);
    if (isToldAlready) return;
    ground
      .after(SOON_MS, () => {
        for (const runId of recorded) say(RECORD_CHANNEL, runId);
        recorded.clear();
      })
      .unref();
  }

  const stops = await Promise.all([
    store.listen(WATCH_CHANNEL, (rootId) => {
      prune(watched, ground.now());
      if (rootId === undefined) return;
      watched.set(rootId, ground.now() + WATCHED_MS);
      // What came before this was heard, nobody was told of.
      const run = runHere(rootId);
      if (run !== undefined) tellSoon(run);
    }),
    store.listen(RECORD_CHANNEL, (runId) => {
      if (runId !== undefined) heard(runId);
    }),
  ]);
  return {
    recorded(runId, rootId) {
      if ((watched.get(rootId) ?? 0) >= ground.now()) tellSoon(runId);
    },
    watch(rootId) {
      const now = ground.now();
      if ((said.get(rootId) ?? Number.NEGATIVE_INFINITY) > now - SAY_AGAIN_MS) return;
      prune(said, now - SAY_AGAIN_MS);
      said.set(rootId, now);
      say(WATCH_CHANNEL, rootId);
    },
    close: () => stops.forEach((stop) => void stop()),
  };
}
