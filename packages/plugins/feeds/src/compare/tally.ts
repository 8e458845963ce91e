import type { Shown, ShownPart } from './task.ts';

/** Counts all and keeps the part that is shown. */
export class Tally<Item> implements Shown<Item> {
  count = 0;
  readonly shown: Item[] = [];
  readonly #part: ShownPart;

  constructor(part: ShownPart) {
    this.#part = part;
  }

  add(item: Item): void {
    const { offset, limit } = this.#part;
    if (this.count >= offset && this.shown.length < limit) this.shown.push(item);
    this.count += 1;
  }
}
