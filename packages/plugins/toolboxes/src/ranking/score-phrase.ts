import { type Scores, scoreOf } from './scores.ts';
import { SYNONYMS } from './synonyms.ts';
import type { WordMatches } from './word-matches.ts';

/** What a word counts that stands for the one asked for. */
const SYNONYM = 0.5;
/** A longer query has words enough of its own: what stands for each of them would only blur it. */
const PHRASE_WORDS = 4;

interface PhraseScores {
  readonly scores: Scores;
  /** Of how many words of the phrase each document has the word, or in part what stands for it. */
  readonly words: Float64Array;
}

/** Of a word and all that may stand for it, the best counts, once. @param count of documents */
export function scorePhrase(
  phrase: ReadonlySet<string>,
  matchesOf: (word: string) => WordMatches,
  count: number,
): PhraseScores {
  const scores = new Float64Array(count);
  const words = new Float64Array(count);
  for (const word of phrase) {
    const best = new Map<number, { score: number; share: number }>();
    for (const [term, weight] of termsFor(word, phrase.size)) {
      const { ids, scores: found } = matchesOf(term);
      ids.forEach((id, at) => {
        const score = weight * scoreOf(found, at);
        const known = best.get(id);
        if (!known || known.score < score)
          best.set(id, { score, share: Math.max(weight, known?.share ?? 0) });
      });
    }
    for (const [id, { score, share }] of best) {
      scores[id] = scoreOf(scores, id) + score;
      words[id] = scoreOf(words, id) + share;
    }
  }
  return { scores, words };
}

function termsFor(word: string, size: number): [term: string, weight: number][] {
  const others = size <= PHRASE_WORDS ? [...(SYNONYMS.get(word) ?? [])] : [];
  return [[word, 1], ...others.map((other): [string, number] => [other, SYNONYM])];
}
