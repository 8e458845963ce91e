/** As much of JSON Schema as zod writes the config in. */
export interface PlainSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: PlainSchema | false;
  readonly propertyNames?: PlainSchema;
  readonly items?: PlainSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: readonly PlainSchema[];
}

export interface PlainlyChecked {
  /** With defaults filled in; worth something only without doubts. */
  readonly value: unknown;
  /** Paths of what is wrong, or not plain enough to be told here. */
  readonly doubts: readonly string[];
}

/**
 * Checks a value against the config's schema as zod writes it down, and fills defaults in. It is sure of what is
 * right; all else is zod's to judge and to name, which most starts then need not load.
 */
export function checkPlainly(schema: PlainSchema, value: unknown): PlainlyChecked {
  const doubts: string[] = [];
  return { value: visit(schema, value, { path: '', doubts }), doubts };
}

interface Place {
  readonly path: string;
  readonly doubts: string[];
}

function visit(schema: PlainSchema, value: unknown, place: Place): unknown {
  const { type, anyOf } = schema;
  if (anyOf) {
    const fitting = anyOf.map((each) => checkPlainly(each, value)).find(({ doubts }) => doubts.length === 0);
    if (!fitting) place.doubts.push(place.path);
    // A choice is one of objects, or a scalar of YAML where text is meant.
    return typeof value === 'object' ? (fitting?.value ?? value) : String(value);
  }
  if (type === 'object') return visitObject(schema, value, place);
  if (type === 'array') return visitArray(schema, value, place);
  if (!isScalar(schema, value)) place.doubts.push(place.path);
  return value;
}

function visitObject(schema: PlainSchema, value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    place.doubts.push(place.path);
    return value;
  }
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const within = (key: string) => ({ ...place, path: place.path === '' ? key : `${place.path}.${key}` });
  const given = Object.entries(value).map(([key, each]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    const isNamed = propertyNames === undefined || isScalar(propertyNames, key);
    if (!known || !isNamed || key === '__proto__') place.doubts.push(within(key).path);
    return [key, known ? visit(known, each, within(key)) : each];
  });
  for (const key of required) if (!Object.hasOwn(value, key)) place.doubts.push(within(key).path);
  const filled = Object.entries(properties)
    .filter(([key, each]) => !Object.hasOwn(value, key) && each.default !== undefined)
    .map(([key, each]) => [key, visit(each, structuredClone(each.default), within(key))]);
  return Object.fromEntries([...given, ...filled]);
}

function visitArray(schema: PlainSchema, value: unknown, place: Place): unknown {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) {
    place.doubts.push(place.path);
    return value;
  }
  return value.map((each, index) => visit(items, each, { ...place, path: `${place.path}.${index}` }));
}

function isScalar(schema: PlainSchema, value: unknown): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case undefined:
      return true;
    case 'string':
      return typeof value === 'string' && isText(schema, value);
    case 'integer':
      return Number.isSafeInteger(value) && isWithin(schema, value as number);
    case 'number':
      return Number.isFinite(value) && isWithin(schema, value as number);
    default:
      return typeof value === schema.type; // boolean
  }
}

function isText(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: PlainSchema,
  text: string,
) {
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  // A URL that zod would change, or that only some sections take, is no plain one.
  return format === undefined || (format === 'uri' && /^https?:\/\/\S+$/.test(text) && URL.canParse(text));
}

function isWithin({ minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE }: PlainSchema, value: number) {
  return value >= minimum && value <= maximum;
}
