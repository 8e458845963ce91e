export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; of anything else, none. */
export function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
