import type { z } from 'zod';
import { isRecord } from '../json-type.ts';

type JsonSchema = Record<string, unknown>;

/**
 * The schema of what a caller sends; JSON Schema 2020-12, MCP's default dialect, so named only where the
 * schema's own `.meta({ $schema })` names it.
 */
export function toInputSchema(schema: z.ZodObject): JsonSchema {
  const override: typeof dropNoise = (each) => {
    dropNoise(each);
    // That an empty text says nothing, that nothing is counted below 0 or 1, that what is not given is off, 0 or empty,
    // and how long names may be, needs no words in every list; it holds all the same.
    const { minLength, maxLength, type, minimum, default: preset, propertyNames: names } = each.jsonSchema;
    if (minLength === 1) delete each.jsonSchema.minLength;
    // Its description tells a model more, and a text that does not match is refused with what it must be.
    if (maxLength !== undefined) delete each.jsonSchema.pattern;
    if (type === 'integer' && (minimum === 0 || minimum === 1)) delete each.jsonSchema.minimum;
    if (isNothing(preset)) delete each.jsonSchema.default;
    if (isRecord(names) && names.enum === undefined) delete each.jsonSchema.propertyNames;
  };
  return portable(schema, schema.toJSONSchema({ io: 'input', reused: 'inline', override }));
}

/** What a default says that goes without saying. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === false || value === 0;
}

/** The schema of what a caller sends, with each limit of its values. */
export function toWholeInputSchema(schema: z.ZodObject): JsonSchema {
  return portable(schema, schema.toJSONSchema({ io: 'input', reused: 'inline', override: dropNoise }));
}

/**
 * The schema of `structuredContent` as it is listed: an outline. It names the members that every answer has, and their
 * kinds; what they hold, their values and the members that some answers have are left to docs/tools.md, since every
 * session of every host pays for what is listed. Each answer is checked against the whole schema before it leaves, and so fits this one.
 */
export function toOutputSchema(schema: z.ZodObject): JsonSchema {
  const whole = toWholeOutputSchema(schema);
  const { properties, required } = whole;
  const always = Array.isArray(required) ? required : [];
  const members = isRecord(properties)
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => always.includes(name)))
    : {};
  return {
    ...(whole.$schema === undefined ? {} : { $schema: whole.$schema }),
    type: 'object',
    properties: mapValues(members, kindOf),
  };
}

/** The schema of `structuredContent` with all that its members hold. */
export function toWholeOutputSchema(schema: z.ZodObject): JsonSchema {
  return portable(schema, schema.toJSONSchema({ io: 'output', reused: 'inline', override: dropNoise }));
}

/** What kind of value a member is. */
function kindOf(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const { type, const: value, anyOf } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(value === undefined ? {} : { const: value }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(kindOf) } : {}),
  };
}

function mapValues(
  members: Readonly<Record<string, unknown>>,
  to: (value: unknown) => JsonSchema,
): JsonSchema {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, to(value)]));
}

function portable(source: z.ZodObject, { $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  const $schema = source.meta()?.$schema;
  return $schema === undefined ? schema : { $schema, ...schema };
}

/**
 * What zod states that limits nothing more: the safe-integer range of every integer, that the names of a
 * record's properties are strings, and the pattern of a date beside its format.
 */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date') delete jsonSchema.pattern;
  const { propertyNames } = jsonSchema;
  if (
    isRecord(propertyNames) &&
    Object.keys(propertyNames).join() === 'type' &&
    propertyNames.type === 'string'
  ) {
    delete jsonSchema.propertyNames;
  }
}
