/** As much of a text as has room as JSON, ended between two characters. */
export function startOf(text: string, room: number): string {
  let start = text.slice(0, room);
  while (JSON.stringify(start).length > room && start.length > 2) {
    start = start.slice(0, Math.floor(start.length * 0.8));
  }
  // Half of a surrogate pair is no character.
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}
