/** The last work on each path. */
const last = new Map<string, Promise<unknown>>();

/** Does work on a path after what was begun on it before, however that ended; in this process. */
export async function inTurn<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (last.get(path) ?? Promise.resolve()).then(work, work);
  last.set(path, turn);
  try {
    return await turn;
  } finally {
    if (last.get(path) === turn) last.delete(path);
  }
}
