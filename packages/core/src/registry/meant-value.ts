import { nearestArgument, nearestNames } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';
import { exampleOf } from './example.ts';

/** Deeper down, values are shown as they came. */
const MAX_DEPTH = 4;

interface Place {
  readonly schema: unknown;
  /** What it is called, by which what is missing is to be filled in. */
  readonly name: string;
  /** The name that the caller wrote, which may be a choice: `regex: true` for a mode. */
  readonly written: string;
  /** Whether what is missing is shown as to be filled in, rather than as a value that passes. */
  readonly isShown: boolean;
}

/** What a value that does not fit may mean by its schema, in its caller's own words; the value itself where nothing. */
export function meantValue(value: unknown, place: Place, depth = 0): unknown {
  const { schema, name } = place;
  if (!isRecord(schema) || value === null || depth > MAX_DEPTH) return value;
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [];
  for (const branch of branches) {
    const meant = meantValue(value, { ...place, schema: branch }, depth + 1);
    if (meant !== value) return meant;
  }
  const isOne = Array.isArray(value) && value.length === 1;
  const inside = (item: unknown) => meantValue(item, { ...place, schema: schema.items }, depth + 1);
  if (Array.isArray(schema.enum)) return meantChoice(isOne ? value[0] : value, schema.enum, place);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return itemsOf(value)?.map(inside) ?? value;
    case 'object':
      return meantObject(isOne ? value[0] : value, { ...place, schema, name }, depth);
    case 'string': {
      const text = isOne ? value[0] : value;
      return typeof text === 'number' || typeof text === 'boolean' ? String(text) : text;
    }
    default:
      return isOne ? value[0] : value;
  }
}

function meantChoice(value: unknown, choices: readonly unknown[], { written }: Place): unknown {
  if (value === true && choices.includes(written)) return written;
  if (typeof value !== 'string') return value;
  const texts = choices.filter((each) => typeof each === 'string');
  return nearestNames(value, texts, 1)[0] ?? value;
}

/**
 * Text that may be several is taken as several: it is shown to its caller, and no call is made with it.
 * @returns undefined for text that is empty, or JSON that could not be read
 */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  if (/^\s*(?:[[{]|$)/.test(value)) return undefined;
  return value.split(/[,;\n]/).map((each) => each.trim());
}

/** With each member where it belongs, and what is missing beside it. */
function meantObject(
  value: unknown,
  { schema, isShown }: Place & { readonly schema: Readonly<Record<string, unknown>> },
  depth: number,
): unknown {
  if (!isRecord(value) || !isRecord(schema.properties)) return value;
  const properties = schema.properties;
  const names = Object.keys(properties);
  const members = new Map<string, unknown>();
  for (const [written, each] of Object.entries(value)) {
    const name = Object.hasOwn(properties, written) ? written : nearestArgument(written, names);
    if (name === undefined && schema.additionalProperties === false) continue;
    const at = name ?? written;
    if (at !== written && Object.hasOwn(value, at)) continue;
    const place = { schema: properties[at], name: at, written, isShown };
    members.set(at, meantValue(each, place, depth + 1));
  }
  const missing = exampleOf(schema, isShown ? 'value' : undefined);
  return { ...(isRecord(missing) ? missing : {}), ...Object.fromEntries(members) };
}
