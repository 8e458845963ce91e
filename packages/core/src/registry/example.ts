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

/** Arguments as a refusal shows them. */
export interface Example {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Whether some of its texts are `<names>` of what its caller has to fill in. */
  readonly isToBeFilledIn: boolean;
}

/**
 * As `exampleArguments`, with a `<name>` for each text that its caller has to fill in: none can be taken for data.
 * @param meant optional arguments that the caller wanted as well; of those nothing is made up, a number or a choice
 */
export function neededArguments(
  schema: Readonly<Record<string, unknown>>,
  meant: readonly string[] = [],
): Example {
  const value = exampleOf(merge(schema, { required: meant }), 'arguments');
  const all = Object.entries(isRecord(value) ? value : {});
  const required = namesOf(schema.required);
  const shown = all.filter(
    ([key, each]) => !meant.includes(key) || required.includes(key) || isToBeFilledIn(each),
  );
  return { arguments: Object.fromEntries(shown), isToBeFilledIn: isToBeFilledIn(Object.fromEntries(shown)) };
}

/** @param name by which a text is to be filled in; without one it is a text that passes */
export function exampleOf(schema: unknown, name?: string): unknown {
  if (!isRecord(schema)) return name === undefined ? 'text' : toFillIn(name);
  if (Array.isArray(schema.examples) && schema.examples.length > 0) {
    const [example] = schema.examples;
    return name !== undefined && typeof example === 'string' ? toFillIn(name, example) : example;
  }
  // Of an empty list nobody learns what belongs into it.
  const isShown = name === undefined || !Array.isArray(schema.default) || schema.default.length > 0;
  if (schema.default !== undefined && isShown) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const branch = [anyOf, oneOf].find(Array.isArray);
  if (branch) return exampleOf(merge(rest, branch[0]), name);
  if (Array.isArray(allOf)) return exampleOf(allOf.reduce(merge, rest), name);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema, name !== undefined);
    case 'array':
      return exampleArray(schema, name);
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return name === undefined ? exampleText(schema) : toFillIn(name, formatted(schema));
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

function exampleObject(schema: Schema, isToFillIn: boolean): Record<string, unknown> {
  const properties = asRecord(schema.properties);
  const schemaOf = (key: string) =>
    Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
  return Object.fromEntries(
    namesOf(schema.required).map((key) => [key, exampleOf(schemaOf(key), isToFillIn ? key : undefined)]),
  );
}

/** What is to be filled in shows one item at least: an empty list may pass and do nothing. */
function exampleArray(schema: Schema, name: string | undefined): unknown[] {
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const least = name !== undefined && isRecord(schema.items) && schema.maxItems !== 0 ? 1 : 0;
  const length = Math.max(fixed.length, Math.min(limit(schema.minItems) ?? least, MAX_ITEMS), least);
  return Array.from({ length }, (_, index) => exampleOf(fixed[index] ?? schema.items, name));
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

function formatted({ format }: Schema): string | undefined {
  return typeof format === 'string' ? TEXT_BY_FORMAT[format] : undefined;
}

function toFillIn(name: string, example?: string): string {
  return example === undefined ? `<${name}>` : `<${name}, such as ${example}>`;
}

/** Whether some text of it is to be filled in. */
export function isToBeFilledIn(value: unknown): boolean {
  if (typeof value === 'string') return /^<.*>$/s.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(isToBeFilledIn);
}

function exampleText(schema: Schema): string {
  const text = formatted(schema);
  if (text !== undefined) return text;
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
