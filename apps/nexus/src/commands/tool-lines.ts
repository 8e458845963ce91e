import { isRecord, type ToolListing } from '@nexus/core';
import { visibleLine } from '@nexus/untrusted/shown';
import { wrap } from '../terminal/wrap.ts';

const INDENT = 2;

/** A tool for a person at a terminal: what it does, and each argument; nothing breaks inside of a word. */
export function toolLines(listing: ToolListing, columns: number): string[] {
  const { name, title, description = '', inputSchema } = listing;
  const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const all = Object.entries(properties);
  return [
    title === undefined ? visibleLine(name) : `${visibleLine(name)}: ${visibleLine(title)}`,
    ...indented(description, INDENT, columns),
    '',
    all.length === 0 ? 'It takes no arguments.' : 'Arguments:',
    ...all.flatMap(([argument, schema]) => [
      ...indented(`${argument}: ${typeOf(schema, required.includes(argument))}`, INDENT, columns),
      ...indented(textOf(schema, 'description'), 2 * INDENT, columns),
    ]),
    '',
    ...wrap(`\`nexus tools ${visibleLine(name)} --json\` prints it whole, with its schemas.`, columns),
  ];
}

function indented(text: string, by: number, columns: number): string[] {
  if (text === '') return [];
  const rows = text.split('\n').flatMap((line) => wrap(visibleLine(line), Math.max(1, columns - by)));
  return rows.map((row) => `${' '.repeat(by)}${row}`);
}

/** Its type, its values, whether it must be there, and what it is otherwise. */
function typeOf(schema: unknown, isRequired: boolean): string {
  const choices = isRecord(schema) && Array.isArray(schema.enum) ? schema.enum.map(String) : undefined;
  const kind = choices === undefined ? kindOf(schema) : `one of ${choices.join(', ')}`;
  if (isRequired) return `${kind}, required`;
  const preset = isRecord(schema) ? schema.default : undefined;
  return preset === undefined ? kind : `${kind}, ${JSON.stringify(preset)} by default`;
}

function kindOf(schema: unknown): string {
  if (!isRecord(schema)) return 'anything';
  const variants = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (variants) return [...new Set(variants.map(kindOf))].join(' or ');
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [textOf(schema, 'type')];
  const type = types.join(' or ');
  if (type === 'array') return `list of ${kindOf(schema.items)}`;
  return type === '' ? 'anything' : type;
}

function textOf(schema: unknown, member: string): string {
  const text = isRecord(schema) ? schema[member] : undefined;
  return typeof text === 'string' ? text : '';
}
