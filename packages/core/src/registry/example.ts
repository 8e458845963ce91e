import { isRecord } from '../json-type.ts';

/** Texts and arrays grow no longer, though a foreign schema asks for it: such an example helps nobody. */
const MAX_CHARS = 2_000;
const MAX_ITEMS = 100;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Arguments that would pass, built from an input schema: required properties only, each from its
 * `examples`, `default`, `const`, `enum` or type. A `pattern` is not solved: such a property states
 * `examples`. Governance proves that every tool's example passes.
 */
export function exampleArguments(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const value = exampleOf(schema);
  return isRecord(value) ? value : {};
}

function exampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'text';
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const branch = [anyOf, oneOf].find(Array.isArray);
  if (branch) return exampleOf(merge(rest, branch[0]));
  if (Array.isArray(allOf)) return exampleOf(allOf.reduce(merge, rest));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema);
    case 'array':
      return exampleArray(schema);
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return exampleText(schema);
  }
}

/** Both schemas as one, for the object schemas that branches and intersections are made of. */
function merge(one: Schema, other: unknown): Schema {
  if (!isRecord(other)) return one;
  return {
    ...one,
    ...other,
    properties: { ...asRecord(one.properties), ...asRecord(other.properties) },
    required: [...new Set([...namesOf(one.required), ...namesOf(other.required)])],
  };
}

function exampleObject(schema: Schema): Record<string, unknown> {
  const properties = asRecord(schema.properties);
  const schemaOf = (key: string) =>
    Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
  return Object.fromEntries(namesOf(schema.required).map((key) => [key, exampleOf(schemaOf(key))]));
}

function exampleArray(schema: Schema): unknown[] {
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const length = Math.max(fixed.length, Math.min(limit(schema.minItems) ?? 0, MAX_ITEMS));
  return Array.from({ length }, (_, index) => exampleOf(fixed[index] ?? schema.items));
}

/** 1 where that is allowed, else a bound or a value beside or between the bounds. */
function exampleNumber(schema: Schema): number {
  const above = limit(schema.exclusiveMinimum) ?? -Infinity;
  const below = limit(schema.exclusiveMaximum) ?? Infinity;
  const low = Math.max(limit(schema.minimum) ?? -Infinity, above);
  const high = Math.min(limit(schema.maximum) ?? Infinity, below);
  const step = limit(schema.multipleOf) ?? 1;
  const onGrid = [
    Math.floor(low / step) * step,
    Math.ceil(low / step) * step,
    Math.floor(high / step) * step,
  ];
  const candidates = [1, 0, low, high, ...onGrid.flatMap((value) => [value, value + step, value - step])];
  const isAllowed = (value: number) =>
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value !== above &&
    value !== below &&
    (![schema.type].flat().includes('integer') || Number.isInteger(value)) &&
    (schema.multipleOf === undefined || isMultiple(value, step));
  return [...candidates, (low + high) / 2].find(isAllowed) ?? 1;
}

function isMultiple(value: number, step: number): boolean {
  return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

/** One value per format of JSON Schema 2020-12 (section 7.3) and of zod. */
const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  hostname: 'example.com',
  'date-time': '2025-11-25T12:00:00Z',
  date: '2025-11-25',
  time: '12:00:00',
  duration: 'PT1H',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

function exampleText(schema: Schema): string {
  const formatted = typeof schema.format === 'string' ? TEXT_BY_FORMAT[schema.format] : undefined;
  if (formatted !== undefined) return formatted;
  const minLength = Math.min(limit(schema.minLength) ?? 0, MAX_CHARS);
  return 'text'.padEnd(minLength, 'x').slice(0, limit(schema.maxLength));
}

function limit(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function asRecord(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
