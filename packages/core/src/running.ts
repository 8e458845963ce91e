/** A place in {@link Running}, for whoever takes it out again. */
export interface Place<T> {
  readonly value: T;
}

interface Linked<T> extends Place<T> {
  before: Linked<T> | undefined;
  after: Linked<T> | undefined;
  isIn: boolean;
}

/**
 * What runs now, in the order it began. No Set and no Map, where thousands come and go in a second: V8 links the
 * table that a set has outgrown to the next one, so that from a table in the old space all that ran since is
 * reachable, and is copied at every sweep of the nursery.
 */
export class Running<T> {
  #first: Linked<T> | undefined;
  #last: Linked<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get latest(): T | undefined {
    return this.#last?.value;
  }

  add(value: T): Place<T> {
    const place: Linked<T> = { value, before: this.#last, after: undefined, isIn: true };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.#size += 1;
    return place;
  }

  /** Once is enough, and more does no harm. */
  remove(given: Place<T>): void {
    const place = given as Linked<T>; // `add` makes no other
    if (!place.isIn) return;
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    // What is out holds none of those that are in.
    place.before = undefined;
    place.after = undefined;
    place.isIn = false;
    this.#size -= 1;
  }

  /** As they are at this moment, whatever comes and goes while they are looked at. */
  places(): readonly Place<T>[] {
    const places: Place<T>[] = [];
    for (let place = this.#first; place; place = place.after) places.push(place);
    return places;
  }

  /** The same without their places. */
  all(): readonly T[] {
    return this.places().map(({ value }) => value);
  }
}
