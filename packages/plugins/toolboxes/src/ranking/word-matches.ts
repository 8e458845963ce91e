import type { WordIndex } from './word-index.ts';

/** The documents that have a word, and how well each scores by it. */
export interface WordMatches {
  readonly ids: Uint32Array;
  readonly scores: Float64Array;
}

const NONE: WordMatches = { ids: new Uint32Array(), scores: new Float64Array() };

/** Looks words up in an index. */
export function matchesIn({ words, starts, ids, scores }: WordIndex): (word: string) => WordMatches {
  const numbers = new Map(words.split('\n').map((word, number) => [word, number]));
  return (word) => {
    const number = numbers.get(word);
    if (number === undefined) return NONE;
    const [from, to] = [starts[number], starts[number + 1]];
    return { ids: ids.subarray(from, to), scores: scores.subarray(from, to) };
  };
}
