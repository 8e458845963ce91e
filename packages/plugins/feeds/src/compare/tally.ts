import type { Shown } from './task.ts';

const SHOWN = 20;

/** Counts all and keeps the first. */
export class Tally<Item> implements Shown<Item> {
  count = 0;
  readonly shown: Item[] = [];

  add(item: Item): void {
    this.count += 1;
    if (this.shown.length < SHOWN) this.shown.push(item);
  }
}
