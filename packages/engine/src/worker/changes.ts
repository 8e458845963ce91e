/** What a run says of what it does. */
export interface RunProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** Who in this process wants to know that something has happened to a run. */
export interface Changes {
  changed(runId: string): void;
  progress(runId: string, report: RunProgress): void;
  /** @returns what ends it */
  onChange(listener: (runId: string) => void): () => void;
  onProgress(listener: (runId: string, report: RunProgress) => void): () => void;
}

export function createChanges(): Changes {
  const changeListeners = new Set<(runId: string) => void>();
  const progressListeners = new Set<(runId: string, report: RunProgress) => void>();
  return {
    changed(runId) {
      for (const listener of changeListeners) listener(runId);
    },
    progress(runId, report) {
      for (const listener of progressListeners) listener(runId, report);
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
