import { isRecord } from '../json-type.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Choice {
  readonly value: string;
  /** As a person reads it; the value itself where nothing is said. */
  readonly title: string;
}

/** One field of a form. Its limits and its default are as the schema has them. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** `choice` takes one of `choices`, `choices` any number of them. */
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  readonly choices: readonly Choice[];
  readonly default?: unknown;
  readonly limits: Members;
}

/** Keywords that are understood, by the type that they belong to (MCP 2025-11-25, PrimitiveSchemaDefinition). */
const LIMITS = {
  string: ['minLength', 'maxLength', 'format'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  choice: [],
  choices: ['minItems', 'maxItems'],
} as const satisfies Record<FormField['type'], readonly string[]>;

const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];
const ABOUT = ['type', 'title', 'description', 'default', 'enum', 'enumNames', 'oneOf', 'items'];

/**
 * The fields of a form, in their order: a flat JSON Schema object of the primitive shapes that MCP's elicitation
 * allows. Without a schema there are none.
 * @throws {TypeError} naming what is no such shape
 */
export function readForm(schema: Members | undefined): readonly FormField[] {
  if (schema === undefined) return [];
  const { type, properties = {}, required = [] } = schema;
  if (type !== 'object' || !isRecord(properties) || !isTexts(required)) {
    throw new TypeError('a form is a JSON Schema with type "object", "properties" and a list "required"');
  }
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw new TypeError(`the form requires "${unknown}", which it has no field for`);
  return Object.entries(properties).map(([name, property]) =>
    readField(name, property, required.includes(name)),
  );
}

function readField(name: string, property: unknown, isRequired: boolean): FormField {
  if (!isRecord(property)) throw new TypeError(`the form's field "${name}" is no object`);
  const [type, choices] = typeOf(name, property);
  const { title, description } = property;
  const known: readonly string[] = LIMITS[type];
  const stray = Object.keys(property).find((key) => !known.includes(key) && !ABOUT.includes(key));
  if (stray !== undefined) {
    throw new TypeError(`the form's field "${name}" says "${stray}", which no form can ask for`);
  }
  const limits = Object.fromEntries(
    known.filter((key) => key in property).map((key) => [key, property[key]]),
  );
  for (const [key, value] of Object.entries(limits)) {
    const isFine = key === 'format' ? FORMATS.includes(value) : typeof value === 'number';
    if (!isFine) throw new TypeError(`the form's field "${name}" has a "${key}" that is not understood`);
  }
  return {
    name,
    title: typeof title === 'string' ? title : name,
    ...(typeof description === 'string' ? { description } : {}),
    isRequired,
    type,
    choices,
    ...(property.default === undefined ? {} : { default: property.default }),
    limits,
  };
}

function typeOf(name: string, property: Members): readonly [FormField['type'], readonly Choice[]] {
  const { type, items } = property;
  if (type === 'array') {
    const choices = isRecord(items) ? choicesOf(items) : undefined;
    if (choices) return ['choices', choices];
    throw new TypeError(`the form's field "${name}" is a list of something else than choices`);
  }
  if (type === 'string') {
    const choices = choicesOf(property);
    return choices ? ['choice', choices] : ['string', []];
  }
  if (type === 'number' || type === 'integer' || type === 'boolean') return [type, []];
  throw new TypeError(`the form's field "${name}" is of no type that a form can ask for`);
}

function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Members): readonly Choice[] | undefined {
  const titled = oneOf ?? anyOf;
  if (Array.isArray(titled) && titled.every(isTitled)) {
    return titled.map(({ const: value, title = value }) => ({ value, title }));
  }
  if (!isTexts(values)) return undefined;
  const names = isTexts(enumNames) ? enumNames : [];
  return values.map((value, at) => ({ value, title: names[at] ?? value }));
}

function isTitled(each: unknown): each is { readonly const: string; readonly title?: string } {
  return (
    isRecord(each) && typeof each.const === 'string' && ['string', 'undefined'].includes(typeof each.title)
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
