import { bestOf, type Scores, scoreOf } from './scores.ts';

/** The best phrase comes first, so each later one counts for less. */
const NEXT_QUERY = 0.8;

/** Of each query's documents; what comes after has a share, but no rank worth counting. */
const RANKED = 100;

/** What it is worth that a query is a document's whole name, as a share of being first in every query. */
const NAMED = 0.25;

export interface QueryResult {
  readonly scores: Scores;
  /** Documents whose whole name the query is. */
  readonly named: readonly number[];
}

/**
 * Joins the results of several queries. A document gets from each query its share of the best score there plus
 * its reciprocal rank: the first tells clear answers from crowds of near ones, the second brings what is first
 * for one query to the front. Whose name a query is goes before what merely has the same words.
 * @returns scores: 1 is first in every query, and more is named besides
 */
export function fuse(results: readonly QueryResult[]): Scores {
  const fused = new Float64Array(results[0]?.scores.length ?? 0);
  let greatest = 0;
  for (const { weight } of weighted(results)) greatest += 2 * weight;
  for (const { scores, named, weight } of weighted(results)) {
    const ranked = bestOf(scores, RANKED);
    const top = scoreOf(scores, ranked[0] ?? -1);
    for (let id = 0; id < scores.length; id += 1) {
      const score = scoreOf(scores, id);
      if (score > 0) fused[id] = scoreOf(fused, id) + (weight * score) / top;
    }
    for (const [rank, id] of ranked.entries()) fused[id] = scoreOf(fused, id) + (weight * 2) / (rank + 2);
    for (const id of named) fused[id] = scoreOf(fused, id) + weight * NAMED * greatest;
  }
  return fused.map((score) => score / greatest);
}

function weighted(results: readonly QueryResult[]) {
  return results.map((result, query) => ({ ...result, weight: NEXT_QUERY ** query }));
}
