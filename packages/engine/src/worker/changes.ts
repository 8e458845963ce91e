import type { Ground } from '../ground.ts';

/** What a run says of what it does. */
export interface RunProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

type ProgressListener = (runId: string, report: RunProgress, rootId?: string) => void;

/** Something has happened to a run. */
export interface Change {
  readonly runId: string;
  /** The first of its family, where that is known without asking. */
  readonly rootId?: string | undefined;
  /** `record`: it got further, and stands as it stood. */
  readonly what: 'state' | 'record';
}

/** Who in this process wants to know that something has happened to a run. */
export interface Changes {
  /** It began, ended, paused, or was left, here or elsewhere. */
  changed(runId: string, rootId?: string): void;
  /** Something of it is on record: told soon, and once for all that comes meanwhile. */
  recorded(runId: string, rootId?: string): void;
  progress(runId: string, report: RunProgress, rootId?: string): void;
  /** @returns what ends it */
  onChange(listener: (change: Change) => void): () => void;
  onProgress(listener: ProgressListener): () => void;
}

/** Sooner than a person can tell, and seldom enough that a run of quick steps pays nothing for who watches. */
const SOON_MS = 20;

export function createChanges(ground: Ground): Changes {
  const changeListeners = new Set<(change: Change) => void>();
  const progressListeners = new Set<ProgressListener>();
  const recorded = new Map<string, string | undefined>();
  let isToldSoon = false;
  const tell = (change: Change) => {
    for (const listener of changeListeners) listener(change);
  };
  function tellRecorded(): void {
    isToldSoon = false;
    const all = [...recorded];
    recorded.clear();
    for (const [runId, rootId] of all) tell({ runId, rootId, what: 'record' });
  }
  return {
    changed(runId, rootId) {
      recorded.delete(runId);
      tell({ runId, rootId, what: 'state' });
    },
    recorded(runId, rootId) {
      recorded.set(runId, rootId);
      if (isToldSoon) return;
      isToldSoon = true;
      ground.after(SOON_MS, tellRecorded).unref();
    },
    progress(runId, report, rootId) {
      for (const listener of progressListeners) listener(runId, report, rootId);
    },
    onChange(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    onProgress(listener) {
      progressListeners.add(listener);
      return () => progressListeners.delete(listener);
    },
  };
}
