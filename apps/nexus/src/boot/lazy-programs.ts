import type { Programs } from '@nexus/plugin-sdk';
import { loadedSoon } from './loaded-soon.ts';

/** Programs for plugins. */
export function lazyPrograms(): { readonly programs: Programs; close(): Promise<void> } {
  const { there, begun } = loadedSoon(async () => (await import('@nexus/processes')).createPrograms());
  return {
    programs: {
      run: async (program) => (await there()).run(program),
      start: async (program) => (await there()).start(program),
    },
    async close() {
      (await begun())?.close();
    },
  };
}
