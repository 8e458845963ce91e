const NEWLINE = 10;

/** The hash of each trigram of each line, in 32 bits; none of a text of one or two characters. */
export function hashesOf(lines: string): number[] {
  const hashes: number[] = [];
  for (let at = 2; at < lines.length; at += 1) {
    const [a, b, c] = [lines.charCodeAt(at - 2), lines.charCodeAt(at - 1), lines.charCodeAt(at)];
    if (a === NEWLINE || b === NEWLINE || c === NEWLINE) continue;
    hashes.push(Math.imul(Math.imul(Math.imul(a, 31) + b, 31) + c, 0x9e37_79b1) >>> 0);
  }
  return hashes;
}
