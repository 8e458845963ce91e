/** A score per document, by its number; 0 for what was not found. */
export type Scores = Float64Array;

export function scoreOf(scores: Scores, id: number): number {
  return scores[id] ?? 0;
}

/**
 * The documents found, best first and no more than `count`; equal ones in their order, so that the same search
 * answers the same. Sorting all to keep a few would cost more than the search.
 */
export function bestOf(scores: Scores, count: number): number[] {
  const best: number[] = [];
  let worst = 0;
  for (let id = 0; id < scores.length; id += 1) {
    const score = scoreOf(scores, id);
    if (score <= worst) continue;
    let at = best.length;
    while (at > 0 && scoreOf(scores, best[at - 1] ?? -1) < score) at -= 1;
    best.splice(at, 0, id);
    if (best.length > count) best.pop();
    if (best.length === count) worst = scoreOf(scores, best[count - 1] ?? -1);
  }
  return best;
}
