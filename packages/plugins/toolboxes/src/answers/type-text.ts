import { isJsonObject, type JsonObject, membersOf } from '../json-object.ts';

/** A longer value is not written as one. */
const MAX_VALUE_CHARS = 40;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** A JSON Schema without references as a type of TypeScript: what of its limits has no type is left out. */
export function typeText(schema: unknown): string {
  if (!isJsonObject(schema)) return 'unknown';
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return union(alternatives.map(typeText));
  if (Array.isArray(schema.allOf) && !('properties' in schema)) return schema.allOf.map(typeText).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type })));
  return namedType(schema);
}

function namedType(schema: JsonObject): string {
  const { type, items, properties, additionalProperties } = schema;
  if (type === 'array') return `${inBrackets(typeText(items))}[]`;
  if (isJsonObject(properties)) return objectType(schema, properties);
  if (type === 'object') {
    return isJsonObject(additionalProperties)
      ? `Record<string, ${typeText(additionalProperties)}>`
      : 'object';
  }
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type.slice(0, MAX_VALUE_CHARS) : 'unknown';
}

function objectType({ required, description }: JsonObject, properties: JsonObject): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(([name, schema]) => {
    const { default: usual } = membersOf(schema);
    const shown = usual === undefined || typeof usual === 'object' ? '' : ` = ${literal(usual)}`;
    return `${NAME.test(name) ? name : JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${typeText(schema)}${shown}`;
  });
  const more = /and \d+ more properties$/.exec(typeof description === 'string' ? description : '');
  if (more) members.push(`/* ${more[0]} */`);
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function inBrackets(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}

function literal(value: unknown): string {
  const said = JSON.stringify(value) ?? 'unknown';
  return said.length > MAX_VALUE_CHARS ? typeof value : said;
}
