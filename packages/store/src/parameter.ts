/**
 * A query parameter as both databases take it. Refuses what one of them would lose without a word:
 * SQLite cuts text at U+0000 and turns NaN into NULL, and its driver ends the process on a boolean.
 * @throws {TypeError} naming what can't be stored
 */
export function toParameter(value: unknown): string | number | bigint | Uint8Array | null {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'boolean':
      return value ? 1n : 0n;
    case 'bigint':
      return value;
    case 'number':
      return fromNumber(value);
    case 'string':
      if (value.includes('\0')) throw new TypeError('The store takes no text with U+0000 in it.');
      return value;
  }
  if (value === null || value instanceof Uint8Array) return value;
  throw new TypeError(`The store takes text, numbers, booleans, bytes and null, not ${kindOf(value)}.`);
}

/** The SQLite driver binds every number as REAL, so `5 || ''` would read `5.0`: whole ones go as bigint. */
function fromNumber(value: number): number | bigint {
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Number.isFinite(value)) return value;
  throw new TypeError(`The store takes no ${value}.`);
}

function kindOf(value: unknown): string {
  return typeof value === 'object'
    ? `${value?.constructor?.name ?? 'an object'}; stringify it first`
    : typeof value;
}
