/** How many ids each side of it remembers. */
const MAX_REMEMBERED = 256;
/** A longer id is remembered by nobody: so many of them would be much. */
const MAX_ID_CHARS = 256;
/** By how much a cancel may overtake its request, each on a connection of its own. */
const AHEAD_MS = 5_000;

type Id = string | number;

/**
 * Cancels of requests that are not known yet. Over HTTP each message comes by itself: a cancel overtakes its
 * request, or comes while the body of that is still read. One of a request that has ended cancels nothing.
 */
interface EarlyCancels {
  /** A cancel of a request that does not wait for its answer. */
  add(id: Id): void;
  /** Whether a request that came at this time, by `performance.now()`, was cancelled before it was known. */
  has(id: Id, cameAtMs: number): boolean;
  /** The request has its answer, or was cancelled. */
  ended(id: Id): void;
}

export function createEarlyCancels(): EarlyCancels {
  const cancelledAt = new Map<Id, number>();
  const ended = new Map<Id, true>();
  return {
    add(id) {
      if (!ended.has(id)) remember(cancelledAt, id, performance.now());
    },
    has: (id, cameAtMs) => (cancelledAt.get(id) ?? Number.NEGATIVE_INFINITY) >= cameAtMs - AHEAD_MS,
    ended(id) {
      cancelledAt.delete(id);
      remember(ended, id, true);
    },
  };
}

/** The latest last; the first makes room. */
function remember<Value>(ids: Map<Id, Value>, id: Id, value: Value): void {
  if (typeof id === 'string' ? id.length > MAX_ID_CHARS : typeof id !== 'number') return;
  ids.delete(id);
  ids.set(id, value);
  if (ids.size <= MAX_REMEMBERED) return;
  const [oldest] = ids.keys();
  if (oldest !== undefined) ids.delete(oldest);
}
