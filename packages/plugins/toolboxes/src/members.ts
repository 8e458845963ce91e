export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; of anything else, none. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}
