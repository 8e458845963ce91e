import { isRecord } from '@nexus/core';

/** What is wrong at one place of a JSON Schema. */
export interface SchemaFault {
  /** Dotted, `[]` for the items of an array: `ops[].tool`; empty for the schema itself. */
  readonly path: string;
  readonly what: string;
  readonly fix: string;
}

type Schema = Readonly<Record<string, unknown>>;

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;

/** What keeps a tool's schema from working in every host: hosts reject a whole request for these. */
export function topLevelFaults(schema: Schema): SchemaFault[] {
  const faults: SchemaFault[] = [];
  if (schema.type !== 'object') {
    faults.push({ path: '', what: 'is no object at the top', fix: 'use z.object({ … })' });
  }
  for (const union of [...UNIONS, 'not', 'if'].filter((key) => key in schema)) {
    faults.push({
      path: '',
      what: `has ${union} at the top`,
      fix: 'make it one flat object; check in the tool',
    });
  }
  return [...faults, ...referenceFaults(schema, '')];
}

/** What an input leaves unsaid, at any depth: descriptions, and the limits of its values. */
export function unstatedFaults(schema: unknown, path = ''): SchemaFault[] {
  if (!isRecord(schema)) return [];
  const faults = UNIONS.some((union) => union in schema) ? [] : limitFaults(schema, path);
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  for (const [key, property] of properties) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!isDescribed(property))
      faults.push({ path: at, what: 'has no description', fix: 'add .describe(…)' });
    faults.push(...unstatedFaults(property, at));
  }
  for (const union of UNIONS) {
    const branches = Array.isArray(schema[union]) ? schema[union] : [];
    faults.push(...branches.flatMap((branch) => unstatedFaults(branch, path)));
  }
  faults.push(...unstatedFaults(schema.items, `${path}[]`));
  faults.push(...unstatedFaults(schema.additionalProperties, `${path}.*`));
  return faults;
}

function isDescribed(schema: unknown): boolean {
  return isRecord(schema) && typeof schema.description === 'string' && schema.description.trim() !== '';
}

function limitFaults(schema: Schema, path: string): SchemaFault[] {
  if ('enum' in schema || 'const' in schema) return [];
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return LIMITS.filter((limit) => types.includes(limit.type) && !limit.isStated(schema)).map(
    ({ what, fix }) => ({ path, what, fix }),
  );
}

const isRanged = (schema: Schema) =>
  ('minimum' in schema || 'exclusiveMinimum' in schema) &&
  ('maximum' in schema || 'exclusiveMaximum' in schema);

/** What states the limit of a value, per JSON type. */
const LIMITS = [
  {
    type: 'string',
    isStated: (schema: Schema) => ['maxLength', 'pattern', 'format'].some((key) => key in schema),
    what: 'is text of any length',
    fix: 'add .max(…), a format, a pattern or an enum',
  },
  {
    type: 'array',
    isStated: (schema: Schema) => 'maxItems' in schema,
    what: 'is a list of any length',
    fix: 'add .max(…)',
  },
  { type: 'integer', isStated: isRanged, what: 'is a number without a range', fix: 'add .min(…).max(…)' },
  { type: 'number', isStated: isRanged, what: 'is a number without a range', fix: 'add .min(…).max(…)' },
] as const;

function referenceFaults(value: unknown, path: string): SchemaFault[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => referenceFaults(item, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, nested]) => {
    if (key !== '$ref') return referenceFaults(nested, path === '' ? key : `${path}.${key}`);
    const isLocal = typeof nested === 'string' && nested.startsWith('#');
    return isLocal ? [] : [{ path, what: `refers to ${nested}`, fix: 'put the schema inline' }];
  });
}
