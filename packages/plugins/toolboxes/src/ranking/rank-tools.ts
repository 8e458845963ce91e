import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import { readDocuments } from './document.ts';
import { fuse } from './fuse.ts';
import { placeWeights } from './place-weights.ts';
import { scorePhrase } from './score-phrase.ts';
import { bestOf, type Scores, scoreOf } from './scores.ts';
import { wholeNames } from './whole-names.ts';
import { indexWords, type WordIndex } from './word-index.ts';
import { matchesIn } from './word-matches.ts';
import { termsOf, wordsOf } from './words.ts';

export interface ToolSearch {
  /** Keyword phrases, best first. */
  readonly queries: readonly string[];
  /** Guessed toolboxes, likeliest first. */
  readonly toolboxes: readonly string[];
  readonly limit: number;
  /** How many of the best are left out; by default, none. */
  readonly offset?: number;
}

export interface RankedTools {
  /** Best first; a score of 1 is first in every query and in the toolbox guessed first. */
  readonly hits: readonly { readonly tool: CataloguedTool; readonly score: number }[];
  /** Tools with any word of the queries, or one that stands for it. */
  readonly total: number;
  /** False where no hit has more than half of the words of any query: a verb alone, such as "get", is in thousands. */
  readonly fits?: boolean;
}

/** Hits among which one must fit, however few are wanted. */
const LOOKED_AT = 5;

/** Tools made ready to be searched. */
export interface ToolRanking {
  search(search: ToolSearch): RankedTools;
}

/** How tools become an index: by itself in this thread, in pieces. */
export type IndexMaker = (tools: readonly CataloguedTool[]) => Promise<WordIndex>;

const inPieces: IndexMaker = async (tools) => indexWords(await readDocuments(tools), () => nextTurn());

/** Makes the tools of a catalogue ready to be searched. */
export async function rankTools(
  tools: readonly CataloguedTool[],
  makeIndex: IndexMaker = inPieces,
): Promise<ToolRanking> {
  const matchesOf = matchesIn(await makeIndex(tools));
  const places = placesOf(tools);
  const namedBy = wholeNames(tools);

  /** What has more of the query's words is ahead by more than the sum of their scores. */
  function find(query: string) {
    const asked = new Set(termsOf(query));
    const { scores: sums, words } = scorePhrase(asked, matchesOf, tools.length);
    const scores: Scores = sums.map((sum, id) => sum * (words[id] ?? 0));
    return { scores, named: namedBy(query), isMost: (id: number) => 2 * (words[id] ?? 0) > asked.size };
  }

  return {
    search({ queries, toolboxes, limit, offset = 0 }) {
      const weights = placeWeights(places.names, toolboxes);
      const found = queries.map(find);
      const fused = fuse(found);
      const scores = fused.map((score, id) => score * (weights[places.of[id] ?? -1] ?? 1));
      const nearest = bestOf(scores, Math.max(offset + limit, LOOKED_AT));
      const best = nearest.slice(offset, offset + limit);
      const fits = nearest.length === 0 || nearest.some((id) => found.some(({ isMost }) => isMost(id)));
      const hits = best.flatMap((id) => {
        const tool = tools[id];
        return tool ? [{ tool, score: Math.min(1, scoreOf(scores, id)) }] : [];
      });
      return { hits, total: scores.filter((score) => score > 0).length, fits };
    },
  };
}

/** The places of a catalogue as the words of their names, and by the number of each tool its place's. */
function placesOf(tools: readonly CataloguedTool[]) {
  const numbers = new Map<string, number>();
  const names: string[][][] = [];
  let [last, number]: [CataloguedTool | undefined, number] = [undefined, -1];
  const of = Uint32Array.from(tools, (tool) => {
    const { toolbox, server } = tool;
    // Mostly those of one place follow one another.
    if (last?.toolbox === toolbox && last.server === server) return number;
    const key = JSON.stringify([toolbox, server]);
    number = numbers.get(key) ?? names.push([wordsOf(toolbox), wordsOf(server)]) - 1;
    numbers.set(key, number);
    last = tool;
    return number;
  });
  return { names, of };
}
