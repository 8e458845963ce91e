import { DOCUMENT_FIELDS, type ToolDocument } from './document.ts';
import { wordsOf } from './words.ts';

/** The documents that have a word, and how well each score by it. */
export interface WordMatches {
  readonly ids: Int32Array;
  readonly scores: Float64Array;
}

/** What a match in a field is worth: the name and the place tell more than the other two. */
const BOOST = { name: 1.5, place: 2, description: 1, parameters: 0.65 };

/** Sooner saturated than by the usual 1.2: a word repeated in a long description says little. */
const BM25 = { k: 0.8, b: 0.7, d: 0.5 };

/** So many documents are indexed at a stretch; other sessions' work goes on in between. */
const CHUNK_SIZE = 100;

/**
 * Indexes documents, and finds those with a word. Each word is searched once and then remembered: the words
 * of queries repeat (`create`, `list`), and the most frequent ones cost the most.
 */
export async function indexWords(documents: readonly ToolDocument[]): Promise<(word: string) => WordMatches> {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<ToolDocument>({
    fields: [...DOCUMENT_FIELDS],
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: { boost: BOOST, bm25: BM25, tokenize: (word) => [word] },
  });
  await index.addAllAsync(documents, { chunkSize: CHUNK_SIZE });
  const known = new Map<string, WordMatches>();
  return (word) => {
    const remembered = known.get(word);
    if (remembered) return remembered;
    const found = index.search(word);
    const matches = {
      ids: Int32Array.from(found, ({ id }) => id),
      scores: Float64Array.from(found, ({ score }) => score),
    };
    // A word that nothing has is not kept: there are endlessly many.
    if (found.length > 0) known.set(word, matches);
    return matches;
  };
}
