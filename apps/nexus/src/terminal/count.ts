/** `1 tool`, `2 tools`. */
export function count(howMany: number, what: string): string {
  return `${howMany} ${what}${howMany === 1 ? '' : 's'}`;
}
