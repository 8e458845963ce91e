/** A value of an expression: plain JSON. */
export type Value = unknown;

/** What one value may hold, in characters of text and in members; more is a fault. */
export const MAX_VALUE_SIZE = 4_000_000;
const MAX_VALUE_DEPTH = 200;

/** Whether it is small and flat enough to be worked on; without recursion, whatever it holds. */
export function isWithinLimits(value: Value): boolean {
  let size = 0;
  const open: { readonly value: Value; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: each, depth } = next;
    size += typeof each === 'string' ? each.length + 1 : 1;
    if (size > MAX_VALUE_SIZE || depth > MAX_VALUE_DEPTH) return false;
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, member] of Object.entries(each)) {
      size += key.length;
      open.push({ value: member, depth: depth + 1 });
      if (size > MAX_VALUE_SIZE) return false;
    }
  }
  return true;
}

export function isRecord(value: Value): value is Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members alone, so that no name of a prototype means anything; what is not there is null. */
export function memberOf(value: Value, key: Value): Value {
  if (Array.isArray(value)) {
    return typeof key === 'number' && Object.hasOwn(value, key) ? value[key] : null;
  }
  if (!isRecord(value) || typeof key !== 'string' || key === '__proto__') return null;
  return Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

export function isTrue(value: Value): boolean {
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== '';
}

/** How many members a value has; counted once, since one may be compared with each of a list. */
const sizes = new WeakMap<object, number>();

function sizeOf(value: object): number {
  const size = sizes.get(value) ?? (Array.isArray(value) ? value.length : Object.keys(value).length);
  sizes.set(value, size);
  return size;
}

/** Of one type and alike in every member; bounded by the left one, but for a right one’s first time. */
export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== sizeOf(right)) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isEqual((left as Record<string, Value>)[key], (right as Record<string, Value>)[key]),
  );
}

/** As it reads inside a text. */
export function textOf(value: Value): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
