import { isRecord } from '../normalization/json-type.ts';

/**
 * Arguments that would pass, built from an input schema: required properties only, each from its
 * `examples`, `default`, `const`, `enum` or type. Governance proves that every tool's example passes.
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
  const branch = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branch) return exampleOf(branch[0]);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema);
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => exampleOf(schema.items));
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'text'.padEnd(Number(schema.minLength ?? 0), 'x');
  }
}

function exampleObject(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return Object.fromEntries(required.map((key) => [key, exampleOf(properties[key])]));
}
