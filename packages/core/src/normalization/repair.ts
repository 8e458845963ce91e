import { isRecord } from './json-type.ts';

export interface Repair {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Top-level keys whose text was read as JSON. */
  readonly keys: readonly string[];
}

const PARSEABLE = new Set(['object', 'array', 'number', 'integer', 'boolean']);

/**
 * Reads stringified values (`"limit": "5"`, `"ops": "[…]"`) as what the schema wants. Only for
 * arguments that failed validation: a valid call is never changed.
 * @param schema the tool's input schema; only its top-level `properties` count
 * @returns undefined when nothing could be repaired
 */
export function repairStringified(
  args: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
  fits: (key: string, value: unknown) => boolean,
): Repair | undefined {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const repaired: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    if (typeof value !== 'string' || !Object.hasOwn(properties, key) || fits(key, value)) continue;
    if (!wantedTypes(properties[key]).some((type) => PARSEABLE.has(type))) continue;
    const parsed = parseJson(value);
    if (parsed !== undefined && typeof parsed !== 'string' && fits(key, parsed)) repaired[key] = parsed;
  }
  const keys = Object.keys(repaired);
  return keys.length === 0 ? undefined : { arguments: { ...args, ...repaired }, keys };
}

function wantedTypes(schema: unknown): readonly string[] {
  if (!isRecord(schema)) return [];
  const own = Array.isArray(schema.type) ? schema.type : [schema.type];
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...own.filter((type) => typeof type === 'string'), ...branches.flatMap(wantedTypes)];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
