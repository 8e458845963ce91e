import { schemaMapKeyword } from '@cfworker/json-schema';
import { isRecord } from '@nexus/core';

/** Keywords that hold values and no schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/**
 * A copy of a schema that asserts no `format`: since 2019-09 formats are annotations unless asked for, and
 * servers differ in what they take for a date-time, so the server's own word stands.
 */
export function withoutFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutFormats);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== 'format');
  return Object.fromEntries(kept.map(([key, value]) => [key, copy(key, value)]));
}

function copy(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  if (!schemaMapKeyword[key] || !isRecord(value)) return withoutFormats(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutFormats(each)]));
}
