import { isRecord } from '@nexus/core';
import { cutEndCounted } from '@nexus/primitives';

/** Characters of a text, and values of a structure, that a fault shows. */
const MAX_SHOWN = 300;

/** A value of a schema or of a call as a fault tells of it; what is not shown costs nothing. */
export function shown(value: unknown): string {
  let left = MAX_SHOWN;
  const first = (each: unknown, depth: number): unknown => {
    if (typeof each === 'string') return shortened(each);
    if (typeof each !== 'object' || each === null || depth > MAX_SHOWN) return each;
    const names = Array.isArray(each) ? each.slice(0, left).keys() : Object.keys(each).slice(0, left);
    const entries = [...names].map((name) => [name, Object(each)[name]] as const);
    left -= entries.length;
    const some = entries.map(([name, item]) => [name, first(item, depth + 1)] as const);
    return isRecord(each) ? Object.fromEntries(some) : some.map(([, item]) => item);
  };
  return shortened(JSON.stringify(first(value, 0)) ?? 'nothing');
}

export function shortened(text: string): string {
  return cutEndCounted(text, MAX_SHOWN);
}
