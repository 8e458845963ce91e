/** How much two texts share of their words, from 0 to 1 (Jaccard index of their sets of words). */
export function wordSimilarity(first: string, second: string): number {
  const [a, b] = [wordsOf(first), wordsOf(second)];
  if (a.size === 0 && b.size === 0) return 1;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}
