import type { z } from 'zod';
import { isRecord } from '../normalization/json-type.ts';

type JsonSchema = Record<string, unknown>;

/**
 * The schema of what a caller sends; JSON Schema 2020-12, MCP's default dialect, so named only where the
 * schema's own `.meta({ $schema })` names it.
 */
export function toInputSchema(schema: z.ZodObject): JsonSchema {
  return portable(schema, schema.toJSONSchema({ io: 'input', reused: 'inline', override: dropNoise }));
}

/** The schema of `structuredContent`. */
export function toOutputSchema(schema: z.ZodObject): JsonSchema {
  return portable(schema, schema.toJSONSchema({ io: 'output', reused: 'inline', override: dropNoise }));
}

function portable(source: z.ZodObject, { $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  const $schema = source.meta()?.$schema;
  return $schema === undefined ? schema : { $schema, ...schema };
}

/**
 * What zod states that limits nothing JSON could carry: the safe-integer range of every integer, and that
 * the names of a record's properties are strings.
 */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { propertyNames } = jsonSchema;
  if (
    isRecord(propertyNames) &&
    Object.keys(propertyNames).join() === 'type' &&
    propertyNames.type === 'string'
  ) {
    delete jsonSchema.propertyNames;
  }
}
