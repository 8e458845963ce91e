const MAX_DEPTH = 20;

/**
 * Any value as JSON has it, whatever made it: a BigInt as its digits, a cycle or what throws when it is read
 * as a word in brackets. Never throws.
 */
export function plainJson(value: unknown, ancestors: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return isJson(value) ? value : undefined;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= MAX_DEPTH) return '[too deep]';
  const inside = [...ancestors, value];
  try {
    if ('toJSON' in value && typeof value.toJSON === 'function') return plainJson(value.toJSON(), inside);
    if (Array.isArray(value)) return value.map((item) => plainJson(item, inside) ?? null);
    return Object.fromEntries(Object.keys(value).map((key) => [key, member(value, key, inside)]));
  } catch {
    return '[unreadable]';
  }
}

function isJson(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** One that can't be read costs no other. */
function member(value: object, key: string, inside: readonly object[]): unknown {
  try {
    return plainJson((value as Record<string, unknown>)[key], inside);
  } catch {
    return '[unreadable]';
  }
}

/** What was thrown, in words, even where that is no Error, or an object that can't be made a string. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'something that can’t be shown was thrown';
  }
}

/** What was thrown, or an Error in its place where even looking at it throws. */
export function readable(thrown: unknown): unknown {
  try {
    // What telling errors apart looks at.
    if (thrown instanceof Error) void [thrown.name, thrown.message, 'code' in thrown && thrown.code];
    return thrown;
  } catch {
    return new Error('what was thrown can’t be read');
  }
}
