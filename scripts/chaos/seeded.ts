/** Chance that a seed repeats. */
export interface Chance {
  /** From `least` up to `most`, whole. */
  between(least: number, most: number): number;
  /** @throws {RangeError} for a list of nothing */
  of<Value>(values: readonly Value[]): Value;
}

/** Mulberry32: small, and good enough to choose moments by. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    of(values) {
      if (values.length === 0) throw new RangeError('nothing to choose from');
      return values[between(0, values.length - 1)] as (typeof values)[number];
    },
  };
}

/** A number of a text, the same each time; 0 to 2^32 - 1. */
export function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
