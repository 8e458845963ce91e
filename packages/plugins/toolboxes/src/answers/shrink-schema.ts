import { counted } from '@nexus/primitives';
import { isJsonObject, type JsonObject, membersOf } from '../json-object.ts';
import { oneLine } from './one-line.ts';

/** How much of a schema is left, from little loss to the bare names. */
interface Measure {
  readonly descriptionChars: number;
  /** How many schemas deep; what is deeper keeps its type. */
  readonly depth: number;
  /** A longer list of values is told of in words. */
  readonly maxValues: number;
  /** Beside the required ones; how many more there are is told. */
  readonly maxOptional: number;
  readonly keywords: readonly string[];
}

const TYPES = ['type', 'const', 'required'];
const LIMITS = ['default', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];
const MEASURES: readonly Measure[] = [
  {
    descriptionChars: 120,
    depth: 5,
    maxValues: 30,
    maxOptional: 1000,
    keywords: [...TYPES, ...LIMITS, 'pattern'],
  },
  {
    descriptionChars: 60,
    depth: 3,
    maxValues: 12,
    maxOptional: 100,
    keywords: [...TYPES, 'default', 'format'],
  },
  { descriptionChars: 30, depth: 2, maxValues: 6, maxOptional: 100, keywords: TYPES },
  { descriptionChars: 0, depth: 1, maxValues: 4, maxOptional: 100, keywords: TYPES },
  { descriptionChars: 0, depth: 1, maxValues: 4, maxOptional: 20, keywords: TYPES },
  { descriptionChars: 0, depth: 1, maxValues: 0, maxOptional: 5, keywords: TYPES },
  { descriptionChars: 0, depth: 0, maxValues: 0, maxOptional: 0, keywords: ['type', 'required'] },
];

/** References in circles would make a wide schema grow without end. */
const MAX_NODES = 1_000;

/** The schema as served, and then smaller and smaller, references followed. */
export function* shrinkSchema(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  for (const measure of MEASURES)
    yield shrink(schema, { measure, root: schema, depth: 0, seen: { nodes: 0 } });
}

interface Place {
  readonly measure: Measure;
  readonly root: JsonObject;
  readonly depth: number;
  readonly seen: { nodes: number };
}

function shrink(schema: JsonObject, place: Place): JsonObject {
  const { measure, root, depth, seen } = place;
  seen.nodes += 1;
  const whole = typeof schema.$ref === 'string' ? { ...resolve(schema.$ref, root), ...schema } : schema;
  const kept = measure.keywords.filter((key) => key in whole).map((key) => [key, whole[key]] as const);
  const values = Array.isArray(whole.enum) ? whole.enum : undefined;
  const words = [manyValues(values, measure), typeof whole.description === 'string' ? whole.description : ''];
  const description = oneLine(words.filter(Boolean).join('; '), measure.descriptionChars);
  return {
    ...Object.fromEntries(kept),
    ...(values && values.length <= measure.maxValues ? { enum: values } : {}),
    ...(description.length > 1 && depth > 0 ? { description } : {}),
    ...(depth < measure.depth && seen.nodes < MAX_NODES ? nested(whole, { ...place, depth: depth + 1 }) : {}),
  };
}

function manyValues(values: readonly unknown[] | undefined, { maxValues }: Measure): string {
  if (!values || values.length <= maxValues) return '';
  return `one of ${counted(values.length, 'value')}: ${values.slice(0, 3).join(', ')}…`;
}

function nested(schema: JsonObject, place: Place): JsonObject {
  const found: [string, unknown][] = [];
  if (isJsonObject(schema.properties)) {
    const { kept, left } = mainProperties(schema, place.measure.maxOptional);
    const smaller = kept.map(([key, value]) => [key, shrink(membersOf(value), place)] as const);
    found.push(['properties', Object.fromEntries(smaller)]);
    if (left > 0) found.push(['description', `and ${counted(left, 'more property', 'more properties')}`]);
  }
  for (const key of ['items', 'additionalProperties']) {
    const value = schema[key];
    if (isJsonObject(value)) found.push([key, shrink(value, place)]);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const value = schema[key];
    if (Array.isArray(value)) found.push([key, value.map((each) => shrink(membersOf(each), place))]);
  }
  return Object.fromEntries(found);
}

/** The required properties and the first of the others; how many are left. */
function mainProperties({ properties, required }: JsonObject, maxOptional: number) {
  const all = Object.entries(membersOf(properties));
  const names = new Set(Array.isArray(required) ? required : []);
  let optional = 0;
  const kept = all.filter(([key]) => {
    if (names.has(key)) return true;
    optional += 1;
    return optional <= maxOptional;
  });
  return { kept, left: all.length - kept.length };
}

/** What a reference into the same document points to (RFC 6901); one that leads elsewhere says nothing here. */
function resolve(reference: string, root: JsonObject): JsonObject {
  if (!reference.startsWith('#')) return {};
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : membersOf(at)[key];
  }
  return membersOf(at);
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
