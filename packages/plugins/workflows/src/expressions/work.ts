import { ExpressionFault } from './expression.ts';
import type { Value } from './values.ts';

/**
 * What expressions that are worked out together may take: all that they go through and make, in characters, a
 * member of a list or an object counted as twenty. All of it takes some 100 ms at most.
 */
export const MAX_WORK = 5_000_000;
const MEMBER = 20;
const MAX_DEPTH = 200;

/** Counts what has been done, and not the time, so that a run goes the same way wherever it is played. */
export class Work {
  #left = MAX_WORK;

  get spent(): number {
    return MAX_WORK - this.#left;
  }

  /** @throws {ExpressionFault} when it is more than is left */
  spend(characters: number, members: number, at: number): void {
    this.#left -= characters + members * MEMBER;
    if (this.#left >= 0) return;
    throw new ExpressionFault('the value is too large or too deeply nested to be worked on', at);
  }

  /** Goes through all of a value, without recursion, whatever it holds. */
  weigh(value: Value, at: number): void {
    const open: { readonly value: Value; readonly depth: number }[] = [{ value, depth: 0 }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { value: each, depth } = next;
      if (typeof each === 'string') this.spend(each.length, 0, at);
      if (typeof each !== 'object' || each === null) continue;
      if (depth >= MAX_DEPTH) this.spend(MAX_WORK, 0, at);
      if (Array.isArray(each)) {
        this.spend(0, each.length, at);
        for (const member of each) open.push({ value: member, depth: depth + 1 });
        continue;
      }
      for (const [key, member] of Object.entries(each)) {
        this.spend(key.length, 1, at);
        open.push({ value: member, depth: depth + 1 });
      }
    }
  }

  /** Its own members alone, for what looks no further. */
  weighFlat(value: Value, at: number): void {
    if (typeof value === 'string') this.spend(value.length, 0, at);
    else if (Array.isArray(value)) this.spend(value.length, 1, at);
    else if (typeof value === 'object' && value !== null) this.spend(0, Object.keys(value).length, at);
  }
}
