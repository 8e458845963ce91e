import type { Programs } from '@nexus/plugin-sdk';

/** A module that could not be read once is gone for as long as the process runs, so it is read while files can be opened. */
const SOON_MS = 200;

/** Programs for plugins; what runs them is loaded with the first, or soon. */
export function lazyPrograms(): { readonly programs: Programs; close(): Promise<void> } {
  let loading: Promise<Programs & { close(): void }> | undefined;
  const there = () => {
    loading ??= import('@nexus/processes').then(({ createPrograms }) => createPrograms());
    return loading;
  };
  setTimeout(() => void there().catch(() => {}), SOON_MS).unref();
  return {
    programs: {
      run: async (program) => (await there()).run(program),
      start: async (program) => (await there()).start(program),
    },
    async close() {
      (await loading)?.close();
    },
  };
}
