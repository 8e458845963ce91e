/**
 * How much of the room each gets: what wants less than an even share gets all that it wants, and what it leaves is
 * shared evenly among the others (max-min fairness).
 */
export function fairShares(wanted: readonly number[], room: number): number[] {
  const shares = wanted.map(() => 0);
  let left = room;
  const rising = wanted.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size);
  for (const [served, { size, at }] of rising.entries()) {
    const share = Math.min(size, Math.floor(left / (wanted.length - served)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
