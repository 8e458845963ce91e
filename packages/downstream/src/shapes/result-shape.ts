import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';

type Kind = 'null' | 'boolean' | 'number' | 'string';

/** What values at one place were so far: kinds and names of members, and no value. */
export interface ResultShape {
  readonly kinds: ReadonlySet<Kind>;
  /** Where objects were there: those of their members whose names are names and no data. */
  readonly members?: ReadonlyMap<string, Member> | undefined;
  /** Where the names of members are data, as in a map by ids: what all of them are. */
  readonly entries?: ResultShape | undefined;
  /** Where lists were there; undefined is an empty one, or what lies deeper than is looked at. */
  readonly items?: ResultShape | undefined;
  readonly isList: boolean;
}

interface Member {
  readonly shape: ResultShape;
  /** Whether each object had it. */
  readonly isAlways: boolean;
  /** Whether more than one object had it: a name that was there once may be data. */
  readonly isKnown: boolean;
}

/** What lies deeper has no place in a shape. */
const MAX_DEPTH = 10;
/** Values that are looked at in one result. */
const MAX_VALUES = 3_000;
const MAX_ITEMS = 50;
/** An object of more is a map. */
const MAX_MEMBERS = 40;
/** Places in one shape. */
const MAX_PLACES = 300;
/** As authors of programs name members, and seldom a file, an address, an id or a person. */
const NAME = /^[@$_]?[A-Za-z][\w$]*$/;
/** Longer ones, and those of more words, hold whole sentences, which a server could lay before every model. */
const MAX_NAME_CHARS = 30;
const MAX_NAME_WORDS = 4;
/** In camelCase and in snake_case, capitals in a row being one. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const MANY_DIGITS = /\d\D*\d\D*\d\D*\d/;
/** So many objects of the same members, or scalars of one kind, each under a name of its own, are entries of a map. */
const ALIKE = 3;

const NOTHING: ResultShape = { kinds: new Set(), isList: false };

/** The shape of one result of JSON, however large and deep it is; looks at its beginning only where it is large. */
export function shapeOf(value: unknown): ResultShape {
  return shapeAt(value, 0, { left: MAX_VALUES });
}

function shapeAt(value: unknown, depth: number, seen: { left: number }): ResultShape {
  seen.left -= 1;
  if (Array.isArray(value)) {
    const inside = depth < MAX_DEPTH ? value.slice(0, Math.min(MAX_ITEMS, Math.max(0, seen.left))) : [];
    const items = inside.map((item) => shapeAt(item, depth + 1, seen));
    return { ...NOTHING, isList: true, items: items.length === 0 ? undefined : items.reduce(united) };
  }
  if (isRecord(value)) return objectShape(value, depth, seen);
  const kind = value === null ? 'null' : typeof value;
  return { ...NOTHING, kinds: new Set([kind as Kind]) }; // JSON has no other
}

function objectShape(value: Members, depth: number, seen: { left: number }): ResultShape {
  const names = Object.keys(value);
  if (depth >= MAX_DEPTH || seen.left <= 0) return { ...NOTHING, members: new Map() };
  const isMap = names.length > MAX_MEMBERS || !names.every(isName) || areAlike(value, names);
  const looked = names.slice(0, Math.min(MAX_MEMBERS, seen.left));
  const shapes = looked.map((name) => [name, shapeAt(value[name], depth + 1, seen)] as const);
  if (isMap) return { ...NOTHING, entries: shapes.map(([, shape]) => shape).reduce(united) };
  // Of a name that was not looked at nothing is known, least of all that it is always there.
  return {
    ...NOTHING,
    members: new Map(shapes.map(([name, shape]) => [name, { shape, isAlways: true, isKnown: false }])),
  };
}

function isName(name: string): boolean {
  if (name.length > MAX_NAME_CHARS || !NAME.test(name) || MANY_DIGITS.test(name)) return false;
  return (name.match(WORD)?.length ?? 0) <= MAX_NAME_WORDS;
}

function areAlike(value: Members, names: readonly string[]): boolean {
  if (names.length < ALIKE) return false;
  const kinds = new Set(
    names.map((name) => {
      const each = value[name];
      if (isRecord(each)) return `{${Object.keys(each).slice(0, MAX_MEMBERS).sort().join(' ')}`;
      return Array.isArray(each) ? '' : each === null ? 'null' : typeof each;
    }),
  );
  return kinds.size === 1 && !kinds.has('') && !kinds.has('{');
}

/** What values of both shapes are; as small as a shape may be. */
export function merged(one: ResultShape, other: ResultShape): ResultShape {
  const both = united(one, other);
  for (let depth = MAX_DEPTH; depth > 0; depth -= 1) {
    const cut = toDepth(both, depth);
    if (placesIn(cut) <= MAX_PLACES) return cut;
  }
  return toDepth(both, 0);
}

function united(one: ResultShape, other: ResultShape): ResultShape {
  return {
    kinds: new Set([...one.kinds, ...other.kinds]),
    isList: one.isList || other.isList,
    items: unitedIf(one.items, other.items),
    ...unitedObjects(one, other),
  };
}

function unitedIf(one: ResultShape | undefined, other: ResultShape | undefined): ResultShape | undefined {
  return one && other ? united(one, other) : (one ?? other);
}

function unitedObjects(one: ResultShape, other: ResultShape): Pick<ResultShape, 'members' | 'entries'> {
  const members = unitedMembers(one.members, other.members);
  const entries = unitedIf(one.entries, other.entries);
  // What was a map once is one, whatever its names were otherwise.
  if (!entries && (members?.size ?? 0) <= MAX_MEMBERS) return { members };
  const shapes = [...(members?.values() ?? [])].map(({ shape }) => shape);
  return { entries: [...(entries ? [entries] : []), ...shapes].reduce(united) };
}

function unitedMembers(one: ResultShape['members'], other: ResultShape['members']): ResultShape['members'] {
  if (!one || !other) return one ?? other;
  const both = new Map<string, Member>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [first, second] = [one.get(name), other.get(name)];
    if (first && second) {
      const isAlways = first.isAlways && second.isAlways;
      both.set(name, { shape: united(first.shape, second.shape), isAlways, isKnown: true });
    } else both.set(name, { ...((first ?? second) as Member), isAlways: false }); // it is in one of them
  }
  return both;
}

function toDepth(shape: ResultShape, depth: number): ResultShape {
  const below = (each: ResultShape | undefined) => each && (depth > 0 ? toDepth(each, depth - 1) : undefined);
  const members =
    depth > 0
      ? shape.members &&
        new Map(
          [...shape.members].map(([name, each]) => [
            name,
            { ...each, shape: toDepth(each.shape, depth - 1) },
          ]),
        )
      : (shape.members ?? shape.entries) && new Map();
  return { ...shape, members, entries: below(shape.entries), items: below(shape.items) };
}

function placesIn({ members, entries, items }: ResultShape): number {
  let places = 1;
  for (const { shape } of members?.values() ?? []) places += placesIn(shape);
  if (entries) places += placesIn(entries);
  return items ? places + placesIn(items) : places;
}

/** As a JSON Schema of the few words `type`, `properties`, `required`, `additionalProperties`, `items`, `anyOf`. */
export function schemaOf(shape: ResultShape): Members {
  const forms: Members[] = [...shape.kinds].sort().map((type) => ({ type }));
  if (shape.isList) forms.push({ type: 'array', ...(shape.items ? { items: schemaOf(shape.items) } : {}) });
  if (shape.entries) forms.push({ type: 'object', additionalProperties: schemaOf(shape.entries) });
  else if (shape.members) forms.push(objectSchema(shape.members));
  const [only, other] = forms;
  return other ? { anyOf: forms } : (only ?? {});
}

function objectSchema(members: ReadonlyMap<string, Member>): Members {
  // In an order of ours: in the server's own they could make a sentence.
  const known = [...members].filter(([, { isKnown }]) => isKnown).sort(([a], [b]) => (a < b ? -1 : 1));
  const required = known.filter(([, { isAlways }]) => isAlways).map(([name]) => name);
  return {
    type: 'object',
    // Defined and not assigned: a member may be called __proto__.
    ...(known.length === 0
      ? {}
      : { properties: Object.fromEntries(known.map(([name, { shape }]) => [name, schemaOf(shape)])) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The shape that such a schema was made of; its names are known. */
export function shapeIn(schema: unknown): ResultShape {
  if (!isRecord(schema)) return NOTHING;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(shapeIn).reduce(united, NOTHING);
  if (schema.type === 'array')
    return { ...NOTHING, isList: true, items: isRecord(schema.items) ? shapeIn(schema.items) : undefined };
  if (schema.type !== 'object')
    return schema.type === undefined ? NOTHING : { ...NOTHING, kinds: new Set([schema.type as Kind]) };
  if (isRecord(schema.additionalProperties))
    return { ...NOTHING, entries: shapeIn(schema.additionalProperties) };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return {
    ...NOTHING,
    members: new Map(
      properties.map(([name, each]) => [
        name,
        { shape: shapeIn(each), isAlways: required.has(name), isKnown: true },
      ]),
    ),
  };
}
