const NEWLINE = 10;
/** Bits for each character: a text has about as many trigrams as characters, and a quarter of the bits is set. */
const BITS_A_CHARACTER = 4;
const BITS_A_WORD = 32;
const FEWEST_WORDS = 4;
/** Beyond that nearly all bits are set, and the text itself has to be looked at: four kilobytes. */
const MOST_WORDS = 1_024;

/** Which trigrams a text may have, a bit for each by its hash: of a name that is not in it, most looks tell so. */
export type Trigrams = Uint32Array;

/** Of the text's lines, each by itself. */
export function trigramsIn(lines: string): Trigrams {
  const wanted = Math.ceil((lines.length * BITS_A_CHARACTER) / BITS_A_WORD);
  const words = Math.min(MOST_WORDS, Math.max(FEWEST_WORDS, 2 ** Math.ceil(Math.log2(Math.max(1, wanted)))));
  const trigrams = new Uint32Array(words);
  const shift = shiftOf(trigrams);
  for (const hash of hashesOf(lines)) {
    const bit = hash >>> shift;
    trigrams[bit >>> 5] = (trigrams[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  return trigrams;
}

/** The hash of each trigram, in 32 bits; none of a text of one or two characters. */
export function hashesOf(text: string): number[] {
  const hashes: number[] = [];
  for (let at = 2; at < text.length; at += 1) {
    const [a, b, c] = [text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at)];
    if (a === NEWLINE || b === NEWLINE || c === NEWLINE) continue;
    hashes.push(Math.imul(Math.imul(Math.imul(a, 31) + b, 31) + c, 0x9e37_79b1) >>> 0);
  }
  return hashes;
}

/**
 * False only where a text with these hashes is in none of the lines.
 * @param hashes the one that is not there comes first from then on: what tells one file apart tells most others, while
 * names of one project share most of their trigrams
 */
export function mayHave(trigrams: Trigrams, hashes: number[]): boolean {
  const shift = shiftOf(trigrams);
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at] ?? 0;
    const bit = hash >>> shift;
    if (((trigrams[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) continue;
    hashes[at] = hashes[0] ?? 0;
    hashes[0] = hash;
    return false;
  }
  return true;
}

/** Leaves so many bits of a hash as there are places for. */
function shiftOf({ length }: Trigrams): number {
  return Math.clz32(length) - 4;
}
