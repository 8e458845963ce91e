import { bestOf, type Scores, scoreOf } from './scores.ts';

/** The best phrase comes first, so each later one counts for less. */
const NEXT_QUERY = 0.8;

/** Of each query's documents; what comes after has a share, but no rank worth counting. */
const RANKED = 100;

/**
 * Joins the results of several queries. A document gets from each query its share of the best score there plus
 * its reciprocal rank: the first tells clear answers from crowds of near ones, the second brings what is first
 * for one query to the front.
 * @returns scores up to 1, which is first in every query
 */
export function fuse(results: readonly Scores[]): Scores {
  const fused = new Float64Array(results[0]?.length ?? 0);
  let greatest = 0;
  for (const [query, scores] of results.entries()) {
    const weight = NEXT_QUERY ** query;
    greatest += 2 * weight;
    const ranked = bestOf(scores, RANKED);
    const top = scoreOf(scores, ranked[0] ?? -1);
    for (let id = 0; id < scores.length; id += 1) {
      const score = scoreOf(scores, id);
      if (score > 0) fused[id] = scoreOf(fused, id) + (weight * score) / top;
    }
    for (const [rank, id] of ranked.entries()) fused[id] = scoreOf(fused, id) + (weight * 2) / (rank + 2);
  }
  return fused.map((score) => score / greatest);
}
