/** How many characters of each text may stay, so that all fit together: short ones whole, long ones alike. */
export function shareOut(lengths: readonly number[], max: number): number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = lengths
    .map((length, index) => ({ length, index }))
    .sort((a, b) => a.length - b.length);
  let left = max;
  shortestFirst.forEach(({ length, index }, position) => {
    const share = Math.min(length, Math.floor(left / (lengths.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
