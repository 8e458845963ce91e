import type { SearchedFile } from './searched-file.ts';
import { hashesOf } from './trigrams.ts';

/** As many as a word has bits. */
const FILES_OF_A_GROUP = 32;
/** Words for each character of the file of middle length: about as many trigrams, and a quarter of the bits is set. */
const WORDS_A_CHARACTER = 4;
const FEWEST_WORDS = 64;
const MOST_WORDS = 8_192;

/**
 * Files that are looked through at once. Which of them may have a trigram is one word, a bit a file: of those that have
 * all trigrams of a name the words together tell.
 */
export class FileGroup {
  readonly files: readonly SearchedFile[];
  readonly #words: Uint32Array;
  readonly #shift: number;
  /** A bit for each file that was not read whole. */
  readonly #faulty: number;

  constructor(files: readonly SearchedFile[]) {
    this.files = files;
    this.#words = new Uint32Array(countOfWords(files));
    this.#shift = Math.clz32(this.#words.length) + 1;
    let faulty = 0;
    for (const [at, { lowerNames, fault }] of files.entries()) {
      const bit = 1 << at;
      if (fault !== undefined) faulty |= bit;
      for (const hash of hashesOf(lowerNames)) {
        const place = hash >>> this.#shift;
        this.#words[place] = (this.#words[place] ?? 0) | bit;
      }
    }
    this.#faulty = faulty;
  }

  /** Whether these are its files, in this order. */
  isOf(files: readonly SearchedFile[]): boolean {
    return files.length === this.files.length && files.every((file, at) => file === this.files[at]);
  }

  /**
   * Files whose names may have a text with these hashes in them, and those that were not read whole; no other has it.
   * @param hashes the one that no file has comes first from then on: what tells one group apart tells most others
   */
  mayHave(hashes: number[]): readonly SearchedFile[] {
    let left = -1;
    for (let at = 0; at < hashes.length && left !== 0; at += 1) {
      const hash = hashes[at] ?? 0;
      left &= this.#words[hash >>> this.#shift] ?? 0;
      if (left !== 0 || at === 0) continue;
      hashes[at] = hashes[0] ?? 0;
      hashes[0] = hash;
    }
    left |= this.#faulty;
    if (left === 0) return NONE;
    return this.files.filter((_, at) => (left & (1 << at)) !== 0);
  }
}

const NONE: readonly SearchedFile[] = [];

/** Files in their order, by groups; those of before whose files are the same are taken again. */
export function* groupsOf(
  files: readonly SearchedFile[],
  before: readonly FileGroup[],
): Generator<FileGroup, void, undefined> {
  const byFirst = new Map(before.map((group) => [group.files[0], group]));
  for (let from = 0; from < files.length; from += FILES_OF_A_GROUP) {
    const some = files.slice(from, from + FILES_OF_A_GROUP);
    const known = byFirst.get(some[0]);
    yield known?.isOf(some) ? known : new FileGroup(some);
  }
}

function countOfWords(files: readonly SearchedFile[]): number {
  const lengths = files.map(({ lowerNames }) => lowerNames.length).sort((one, other) => one - other);
  const wanted = WORDS_A_CHARACTER * (lengths[lengths.length >> 1] ?? 0);
  return Math.min(MOST_WORDS, Math.max(FEWEST_WORDS, 2 ** Math.ceil(Math.log2(Math.max(1, wanted)))));
}
