/** What moves by itself: ages, scores, times of a look, who runs something now, what is connected, which build says it; and names that only their holder is told. */
const MOVES =
  /^(age|ageMs|ageHours|score|parts|updatedAt|lastSeen|lastSeenAt|seen|pid|state|version|owner|build|leaseId|message|statusMessage|reserved)$/i;

/**
 * What a list or a record had before and has no more, as paths. What was added is no loss; entries of lists are
 * found by what they hold, in whatever order.
 */
export function missing(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [path];
    return before.flatMap((entry, at) =>
      after.some((each) => missing(entry, each).length === 0)
        ? []
        : [`${path}[${at}]: ${JSON.stringify(entry)}`],
    );
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof after !== 'object' || after === null) return [path];
    return Object.entries(before).flatMap(([key, value]) =>
      MOVES.test(key)
        ? []
        : missing(value, (after as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`),
    );
  }
  // What was at work waits for the next server, once its own has ended.
  return before === after || (/^(working|running)$/.test(String(before)) && after === 'queued')
    ? []
    : [`${path}: ${JSON.stringify(before)} is ${JSON.stringify(after)}`];
}
