import pLimit, { type LimitFunction } from 'p-limit';

/** Of each path that work goes on at. */
const turns = new Map<string, LimitFunction>();

/** Does work on a path after what was begun on it before, however that ended; in this process. */
export async function inTurn<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const turn = turns.get(path) ?? pLimit(1);
  turns.set(path, turn);
  try {
    return await turn(work);
  } finally {
    // The next one counts as active before this line runs.
    if (turn.activeCount + turn.pendingCount === 0) turns.delete(path);
  }
}
