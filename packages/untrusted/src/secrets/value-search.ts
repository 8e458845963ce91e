/** Finds which of many texts stands at a place of another, in time that does not grow with how many there are. */
export interface ValueSearch {
  /** The text with each place masked where one of them stands, the longest where several do. */
  replace(text: string, mask: string): string;
}

/** So many places of the table that a text is looked at with; a power of two. */
const TABLE_SIZE = 1 << 14;
/** So many characters say where to look in it. */
const HASHED = 4;

/** Values that begin with the same characters, sorted: those that stand at a place are found by halving. */
interface Bucket {
  /** What all begin with: a text that repeats the beginning of a token is turned away by it alone. */
  readonly beginning: string;
  readonly sorted: readonly string[];
  /** By the same index: the longest other value that this one begins with. */
  readonly shorter: readonly number[];
}

/**
 * Own code, since the automaton of Aho and Corasick, which libraries have, takes a node for each character of
 * each value: a thousand spellings of keys of a kilobyte are a million. Here a value costs its own length, and a
 * place in a text one look into a table, a slice where that says yes, and some comparisons where that is found.
 * @param values each of `minLength` characters or more
 */
export function valueSearch(values: Iterable<string>, minLength: number): ValueSearch {
  const buckets = new Map<string, Bucket>();
  const table = new Uint8Array(TABLE_SIZE);
  for (const [beginning, sorted] of byBeginning(values, minLength)) {
    buckets.set(beginning, { beginning: commonBeginning(sorted), sorted, shorter: shorterOf(sorted) });
    table[placeOf(beginning, 0)] = 1;
  }
  return {
    replace(text, mask) {
      let parts = '';
      let from = 0;
      for (let at = 0; at <= text.length - minLength; at++) {
        if (table[placeOf(text, at)] === 0) continue;
        const bucket = buckets.get(text.slice(at, at + minLength));
        const found =
          bucket && text.startsWith(bucket.beginning, at) ? longestAt(bucket, text, at) : undefined;
        if (found === undefined) continue;
        parts += text.slice(from, at) + mask;
        from = at + found.length;
        at = from - 1;
      }
      return from === 0 ? text : parts + text.slice(from);
    },
  };
}

function byBeginning(values: Iterable<string>, minLength: number): ReadonlyMap<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const value of [...new Set(values)].sort()) {
    const beginning = value.slice(0, minLength);
    const group = grouped.get(beginning);
    if (group) group.push(value);
    else grouped.set(beginning, [value]);
  }
  return grouped;
}

/** Of the first and the last, and so of all between them. */
function commonBeginning(sorted: readonly string[]): string {
  const first = sorted[0] ?? '';
  const last = sorted.at(-1) ?? '';
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, length);
}

/** What begins another stands before it, and all between them begin so too. */
function shorterOf(sorted: readonly string[]): number[] {
  const open: number[] = [];
  return sorted.map((value, index) => {
    while (open.length > 0 && !value.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop();
    const shorter = open.at(-1) ?? -1;
    open.push(index);
    return shorter;
  });
}

function longestAt({ sorted, shorter }: Bucket, text: string, at: number): string | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? '';
    if (value <= text.slice(at, at + value.length)) low = middle + 1;
    else high = middle;
  }
  // Whatever stands here begins the last that is not after the text, or is it.
  for (let index = low - 1; index >= 0; index = shorter[index] ?? -1) {
    const value = sorted[index] ?? '';
    if (text.startsWith(value, at)) return value;
  }
  return undefined;
}

function placeOf(text: string, at: number): number {
  let place = 0;
  for (let index = at; index < at + HASHED; index++) place = place * 31 + text.charCodeAt(index);
  return place & (TABLE_SIZE - 1);
}
