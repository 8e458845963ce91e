/** A module that could not be read once is gone for as long as the process runs, so it is read while files can be opened. */
const SOON_MS = 200;

/** What no start waits for: it is loaded by the first who asks for it, or soon. */
export interface LoadedSoon<Loaded> {
  there(): Promise<Loaded>;
  /** Undefined until its loading has begun. */
  begun(): Promise<Loaded> | undefined;
}

export function loadedSoon<Loaded>(load: () => Promise<Loaded>): LoadedSoon<Loaded> {
  let loading: Promise<Loaded> | undefined;
  const there = () => {
    loading ??= load();
    return loading;
  };
  setTimeout(() => void there().catch(() => {}), SOON_MS).unref();
  return { there, begun: () => loading };
}
