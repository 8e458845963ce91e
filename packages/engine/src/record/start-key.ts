/**
 * What a start is found by: a key is of one kind (of jobs, of one tool), and its user's own. As JSON, since each
 * part may hold whatever its author likes, and no two of them may come to the same text together.
 */
export function startKey(of: readonly [kind: string, ...more: string[]], key: string, user?: string): string {
  return JSON.stringify([of, key, user ?? null]);
}
