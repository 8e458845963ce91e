import { words } from './words.ts';

/** Weights of words, of length 1 unless it has none. */
export type Vector = ReadonlyMap<string, number>;

/**
 * Texts as TF-IDF vectors: (1 + ln tf) · (1 + ln(n / df)), normalised to length 1. A word that every text has weighs
 * little, and never nothing.
 */
export interface Weights {
  of(text: string): Vector;
}

export function weightsOf(texts: readonly string[]): Weights {
  const total = Math.max(1, texts.length);
  const inTexts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(words(text))) inTexts.set(word, (inTexts.get(word) ?? 0) + 1);
  }
  return {
    of(text) {
      const counts = new Map<string, number>();
      for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
      const weighed = [...counts].map(([word, count]): [string, number] => {
        const rarity = 1 + Math.log(total / (inTexts.get(word) ?? 1));
        return [word, (1 + Math.log(count)) * rarity];
      });
      return normalised(weighed);
    },
  };
}

/** In the order of the words, so that sums come out the same whatever order texts had. */
function normalised(weighed: readonly [string, number][]): Vector {
  const sorted = [...weighed].sort(([a], [b]) => (a < b ? -1 : 1));
  const length = Math.sqrt(sorted.reduce((sum, [, weight]) => sum + weight * weight, 0));
  return new Map(length === 0 ? [] : sorted.map(([word, weight]) => [word, weight / length]));
}

/** Cosine of two vectors, 0 to 1. */
export function likeness(a: Vector, b: Vector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [word, weight] of small) sum += weight * (large.get(word) ?? 0);
  return Math.min(1, sum);
}

export function centreOf(vectors: readonly Vector[]): Vector {
  const sums = new Map<string, number>();
  for (const vector of vectors) {
    for (const [word, weight] of vector) sums.set(word, (sums.get(word) ?? 0) + weight);
  }
  return normalised([...sums]);
}

/** The words that weigh most, the heaviest first. */
export function heaviest(vector: Vector, count: number): string[] {
  return [...vector]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([word]) => word);
}
