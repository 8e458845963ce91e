import { isRecord } from '@nexus/core';

/** Objects and lists inside of each other: deeper, and what walks them by recursion fails. */
export const MAX_DEPTH = 100;

/**
 * About how many characters a value has as JSON, counted no further than `enough`; infinite for one that is
 * nested too deep.
 */
export function sizeOf(given: unknown, enough: number): number {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: given, depth: 0 }];
  let characters = 0;
  for (let next = waiting.pop(); next && characters <= enough; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    characters += 4;
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const each of value) waiting.push({ value: each, depth: depth + 1 });
    else if (isRecord(value)) {
      for (const key in value) {
        characters += key.length;
        waiting.push({ value: value[key], depth: depth + 1 });
      }
    }
  }
  return characters;
}
