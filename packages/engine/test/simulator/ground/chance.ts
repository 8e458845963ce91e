/** Numbers that a seed repeats. */
export interface Chance {
  /** From 0 on, below 1. */
  next(): number;
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number;
  between(least: number, most: number): number;
  /** True that often. */
  is(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  hex(bytes: number): string;
  /** Numbers of their own: how many are drawn of one says nothing of the other. */
  fork(name: string): Chance;
}

export function chanceOf(seed: string): Chance {
  let [a, b, c, d] = spread(seed);
  /** sfc32 */
  function draw(): number {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  for (let round = 0; round < 12; round += 1) draw();
  const next = () => draw() / 0x1_0000_0000;
  const chance: Chance = {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    between: (least, most) => least + next() * (most - least),
    is: (share) => next() < share,
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    hex(bytes) {
      let text = '';
      while (text.length < 2 * bytes) text += draw().toString(16).padStart(8, '0');
      return text.slice(0, 2 * bytes);
    },
    fork: (name) => chanceOf(`${seed}/${name}`),
  };
  return chance;
}

/** Four words of a text: FNV-1a from four beginnings. */
function spread(text: string): [number, number, number, number] {
  const words: [number, number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x243f6a88, 0xb7e15162];
  for (let at = 0; at < text.length; at += 1) {
    for (let word = 0; word < 4; word += 1) {
      words[word] = Math.imul((words[word] as number) ^ (text.charCodeAt(at) + word), 0x01000193);
    }
  }
  return words;
}
