import { isRecord } from '@nexus/core';

type Schema = Readonly<Record<string, unknown>>;

/** A JSON Schema's type and limits in a few words: `text, 1 to 500 characters`. */
export function describeType(schema: unknown): string {
  if (!isRecord(schema)) return 'any';
  if (schema.const !== undefined) return code(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ');
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches) return branches.map(describeType).join(' or ');
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type ?? 'any')];
  return types.map((type) => describeOne(type, schema)).join(' or ');
}

function describeOne(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
      return withLimit(
        String(schema.format ?? 'text'),
        range(schema.minLength, schema.maxLength),
        ' characters',
      );
    case 'integer':
    case 'number':
      return withLimit(type, range(lowest(schema), highest(schema)), '');
    case 'array':
      return withLimit(
        `list of ${describeType(schema.items)}`,
        range(schema.minItems, schema.maxItems),
        ' items',
      );
    default:
      return type;
  }
}

function withLimit(name: string, limit: string, unit: string): string {
  return limit === '' ? name : `${name}, ${limit}${unit}`;
}

function range(low: unknown, high: unknown): string {
  if (low !== undefined && low !== 0 && high !== undefined) return `${low} to ${high}`;
  if (high !== undefined) return low === 0 ? `0 to ${high}` : `at most ${high}`;
  return low === undefined || low === 0 ? '' : `at least ${low}`;
}

function lowest(schema: Schema): unknown {
  return (
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? undefined : `above ${schema.exclusiveMinimum}`)
  );
}

function highest(schema: Schema): unknown {
  return (
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : `below ${schema.exclusiveMaximum}`)
  );
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
