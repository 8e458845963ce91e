import type { Programs } from '@nexus/plugin-sdk';

/** Programs for plugins; what runs them is loaded with the first. */
export function lazyPrograms(): { readonly programs: Programs; close(): Promise<void> } {
  let loading: Promise<Programs & { close(): void }> | undefined;
  const there = () => {
    loading ??= import('@nexus/processes').then(({ createPrograms }) => createPrograms());
    return loading;
  };
  return {
    programs: { run: async (program) => (await there()).run(program) },
    async close() {
      (await loading)?.close();
    },
  };
}
