import { isRecord } from '@nexus/core';
import { type Budget, namesOf } from './budget.ts';

/** A value that is written, with its name, and put together with the others, takes as long as so many compared. */
const TEXT_STEPS = 6;

/** Text that is equal for equal JSON values, whatever the order of keys. */
function textOf(value: unknown, budget: Budget, depth = 0): string {
  budget.spend(TEXT_STEPS);
  if (typeof value === 'string') {
    budget.spend(value.length >> 6);
    return JSON.stringify(value);
  }
  if (depth > MAX_DEPTH) budget.spend(Number.POSITIVE_INFINITY);
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each, budget, depth + 1)).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'undefined';
  const keys = [...namesOf(value, budget)].sort();
  const members = keys.map((key) => {
    budget.spend(key.length >> 6);
    return `${JSON.stringify(key)}:${textOf(value[key], budget, depth + 1)}`;
  });
  return `{${members.join()}}`;
}

const MAX_DEPTH = 200;

export function isSame(one: unknown, other: unknown, budget: Budget): boolean {
  const areLong = typeof one === 'string' && typeof other === 'string' && one.length === other.length;
  budget.spend(areLong ? 1 + (one.length >> 8) : 1);
  if (one === other) return true;
  const areStructures =
    typeof one === 'object' && typeof other === 'object' && one !== null && other !== null;
  return areStructures && textOf(one, budget) === textOf(other, budget);
}

/** The indexes of two equal items. */
export function findTwins(items: readonly unknown[], budget: Budget): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const key = typeof item === 'object' && item !== null ? `json ${textOf(item, budget)}` : keyOf(item);
    if (typeof key === 'string') budget.spend(key.length >> 6);
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
    budget.spend(1);
  }
  return undefined;
}

/** So that no text is taken for what is written like it. */
function keyOf(scalar: unknown): unknown {
  return typeof scalar === 'string' ? `text ${scalar}` : scalar;
}
