/** A name that stands oftener is not looked at, and nothing about it is certain. */
const MOST_PLACES = 200;

/** Where each word of a text stands; read once, when it is first asked for. */
export class WordPlaces {
  readonly text: string;
  #places: Map<string, number[]> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  of(word: string): readonly number[] {
    if (this.#places === undefined) {
      this.#places = new Map();
      for (const { 0: each, index } of this.text.matchAll(/[\w$]+/g)) {
        const found = this.#places.get(each);
        if (found === undefined) this.#places.set(each, [index]);
        else if (found.length < MOST_PLACES) found.push(index);
      }
    }
    return this.#places.get(word) ?? [];
  }

  /** Whether what stands around the word fits, wherever it stands; false where it stands nowhere, or too often. */
  every(word: string, fits: (before: string, after: string) => boolean): boolean {
    const found = this.of(word);
    return (
      found.length > 0 &&
      found.length < MOST_PLACES &&
      found.every((at) => {
        const end = at + word.length;
        return fits(this.text.slice(Math.max(0, at - AROUND), at), this.text.slice(end, end + AROUND));
      })
    );
  }
}

const AROUND = 60;
