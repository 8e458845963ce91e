/** An entry as it was seen: one that was written since is another. */
export function seenId(backend: string, key: string, version: number): string {
  return JSON.stringify([backend, key, version]);
}
