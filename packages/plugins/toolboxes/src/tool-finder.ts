import type { ToolCatalogue } from '@nexus/plugin-sdk';
import { type IndexMaker, rankTools, type ToolRanking } from './ranking/rank-tools.ts';

/** Catalogues differ between sessions where their environments do; more than a few at once do not pay. */
const MAX_KEPT = 3;

/** Keeps each catalogue's index for as long as its version is asked for. */
export interface ToolFinder {
  rankingOf(catalogue: ToolCatalogue): Promise<ToolRanking>;
}

/** @param indexMaker by the version of a catalogue; by default indexes are made in this thread */
export function createToolFinder(indexMaker?: (version: string) => IndexMaker): ToolFinder {
  const kept = new Map<string, Promise<ToolRanking>>();
  return {
    rankingOf({ version, tools }) {
      const ranking = kept.get(version) ?? rankTools(tools, indexMaker?.(version));
      // Put at the end again: the first one is the one longest unused.
      kept.delete(version);
      kept.set(version, ranking);
      // What could not be made is tried again.
      ranking.catch(() => kept.get(version) === ranking && kept.delete(version));
      for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
      return ranking;
    },
  };
}
