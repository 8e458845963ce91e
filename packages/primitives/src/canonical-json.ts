/**
 * JSON with the keys of every object in order and a bigint as its digits, so that values that JSON shows alike
 * have the same text; the empty text for what JSON leaves out. Hashes of it are kept (of pins, of what a user
 * trusted, of the arguments of runs): another byte here makes all of them strange.
 * @throws {RangeError} for a cycle
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, ordered) ?? '';
}

function ordered(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
