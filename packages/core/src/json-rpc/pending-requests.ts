import type { RequestId } from './members.ts';

/**
 * What waits for its answer, by the number that it was asked under. The numbers are chosen so that each has a
 * slot of its own: no Map, for the reason that `Running` has.
 */
export class PendingRequests<T> {
  #slots: ({ readonly id: number; readonly waiting: T } | undefined)[] = new Array(64).fill(undefined);
  #size = 0;
  #lastId = 0;

  /** @returns the number to ask under: above 0, and never the same twice */
  add(waiting: T): number {
    if (this.#size === this.#slots.length) this.#grow();
    do this.#lastId += 1;
    while (this.#slots[this.#slotOf(this.#lastId)]);
    this.#slots[this.#slotOf(this.#lastId)] = { id: this.#lastId, waiting };
    this.#size += 1;
    return this.#lastId;
  }

  get(id: RequestId): T | undefined {
    if (typeof id !== 'number') return undefined;
    const found = this.#slots[this.#slotOf(id)];
    return found?.id === id ? found.waiting : undefined;
  }

  take(id: RequestId): T | undefined {
    const waiting = this.get(id);
    if (waiting === undefined) return undefined;
    this.#slots[this.#slotOf(Number(id))] = undefined;
    this.#size -= 1;
    return waiting;
  }

  ids(): readonly number[] {
    return this.#slots.flatMap((slot) => slot?.id ?? []).sort((one, other) => one - other);
  }

  #slotOf(id: number): number {
    return id % this.#slots.length;
  }

  /** Numbers that are apart in so many slots are apart in twice as many. */
  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Array(2 * slots.length).fill(undefined);
    for (const slot of slots) if (slot) this.#slots[this.#slotOf(slot.id)] = slot;
  }
}
