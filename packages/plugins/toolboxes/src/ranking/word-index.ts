import { DOCUMENT_FIELDS, type ToolDocument } from './document.ts';
import { termsOf } from './words.ts';

/**
 * For each word, which documents have it and how well each scores by it. In few arrays, so that it crosses from a
 * thread, and comes back from disk, in milliseconds.
 */
export interface WordIndex {
  /** A line each. */
  readonly words: string;
  /** Where the matches of each word begin, and where the last one's end. */
  readonly starts: Uint32Array;
  /** By word: numbers of documents, rising. */
  readonly ids: Uint32Array;
  readonly scores: Float64Array;
}

/** What a match in a field is worth: the name and the place tell more than the other two. */
const BOOST = { name: 1.5, place: 2, description: 1, parameters: 0.65 };

/** BM25+; sooner saturated than by the usual 1.2: a word repeated in a long description says little. */
const BM25 = { k: 0.8, b: 0.7, d: 0.5 };

/** So many documents are indexed at a stretch. */
const CHUNK_SIZE = 100;

/** Which documents have a word in one field, and how often. */
interface Matches {
  readonly ids: number[];
  readonly counts: number[];
}

/** Indexes documents, in pieces: it takes some 50 ms a thousand. @param pause lets others have their turn */
export async function indexWords(
  documents: readonly ToolDocument[],
  pause: () => Promise<void>,
): Promise<WordIndex> {
  const fields = DOCUMENT_FIELDS.map((name) => ({
    boost: BOOST[name],
    name,
    lengths: new Uint32Array(documents.length),
  }));
  const found = new Map<string, (Matches | undefined)[]>();
  for (const [id, document] of documents.entries()) {
    if (id % CHUNK_SIZE === 0) await pause();
    for (const [field, { name, lengths }] of fields.entries()) {
      const counts = countsOf(termsOf(document[name]));
      lengths[id] = counts.size;
      for (const [word, count] of counts) {
        const byField = found.get(word) ?? [];
        if (byField.length === 0) found.set(word, byField);
        const matches = byField[field] ?? { ids: [], counts: [] };
        byField[field] = matches;
        matches.ids.push(id);
        matches.counts.push(count);
      }
    }
  }
  return scored(found, fields, pause);
}

async function scored(
  found: ReadonlyMap<string, readonly (Matches | undefined)[]>,
  fields: readonly { readonly boost: number; readonly lengths: Uint32Array }[],
  pause: () => Promise<void>,
): Promise<WordIndex> {
  const averages = fields.map(({ lengths }) => lengths.reduce((sum, each) => sum + each, 0) / lengths.length);
  const starts = new Uint32Array(found.size + 1);
  const all: number[] = [];
  const allScores: number[] = [];
  let at = 0;
  for (const byField of found.values()) {
    if (at % (10 * CHUNK_SIZE) === 0) await pause();
    const sums = new Map<number, number>();
    for (const [field, { boost, lengths }] of fields.entries()) {
      const { ids, counts } = byField[field] ?? { ids: [], counts: [] };
      const rarity = Math.log(1 + (lengths.length - ids.length + 0.5) / (ids.length + 0.5));
      const average = averages[field] ?? 1;
      ids.forEach((id, which) => {
        const count = counts[which] ?? 0;
        const length = 1 - BM25.b + (BM25.b * (lengths[id] ?? 0)) / average;
        const score = rarity * (BM25.d + (count * (BM25.k + 1)) / (count + BM25.k * length));
        sums.set(id, (sums.get(id) ?? 0) + boost * score);
      });
    }
    for (const [id, score] of [...sums].sort(([a], [b]) => a - b)) {
      all.push(id);
      allScores.push(score);
    }
    at += 1;
    starts[at] = all.length;
  }
  return {
    words: [...found.keys()].join('\n'),
    starts,
    ids: Uint32Array.from(all),
    scores: Float64Array.from(allScores),
  };
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
