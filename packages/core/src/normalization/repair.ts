import { roundedNumbers } from '@nexus/primitives';
import { isRecord } from '../json-type.ts';

export interface Repair {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Top-level keys whose text was read as JSON. */
  readonly keys: readonly string[];
}

const PARSEABLE: ReadonlySet<unknown> = new Set(['object', 'array', 'number', 'integer', 'boolean']);

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
  // By the schema's names: of those that it does not know a call may have very many.
  const repaired = Object.keys(properties).flatMap((key): [string, unknown][] => {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value !== 'string' || fits(key, value)) return [];
    if (!wantsParseable(properties[key])) return [];
    const parsed = parseJson(value);
    return parsed !== undefined && typeof parsed !== 'string' && fits(key, parsed) ? [[key, parsed]] : [];
  });
  if (repaired.length === 0) return undefined;
  return { arguments: { ...args, ...Object.fromEntries(repaired) }, keys: repaired.map(([key]) => key) };
}

function wantsParseable(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if ([schema.type].flat().some((type) => PARSEABLE.has(type))) return true;
  return [schema.anyOf, schema.oneOf, schema.allOf].flat().some(wantsParseable);
}

function parseJson(text: string): unknown {
  try {
    // What would be another number then stays as it was written, and is refused for its type.
    return roundedNumbers(text).length > 0 ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
