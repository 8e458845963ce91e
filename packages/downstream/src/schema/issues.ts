import type { OutputUnit } from '@cfworker/json-schema';
import type { Issue } from '@nexus/core';

/** What core knows an argument by that the schema does not declare. */
const UNKNOWN_ARGUMENT = 'no such argument';
const REQUIRED = /required property "(.*)"\.$/s;
/** Whose errors only say that there are others further in. */
const CONTAINERS = new Set([
  '$ref',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'dependentSchemas',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
]);

/** The errors of a validation as faults of arguments: one a path, in words of the schema. */
export function toIssues(errors: readonly OutputUnit[], schema: unknown): Issue[] {
  const leaves = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const messages = new Map<string, Set<string>>();
  for (const error of leaves.length > 0 ? leaves : errors) {
    const { path, message } = toIssue(error, schema);
    messages.set(path, (messages.get(path) ?? new Set()).add(message));
  }
  return [...messages].map(([path, of]) => ({ path, message: [...of].join('; or ') }));
}

function toIssue({ keyword, keywordLocation, instanceLocation, error }: OutputUnit, schema: unknown): Issue {
  const keys = instanceLocation.split('/').slice(1).map(decode);
  const [, missing] = keyword === 'required' ? (REQUIRED.exec(error) ?? []) : [];
  if (missing !== undefined) return { path: [...keys, missing].join('.'), message: 'is missing' };
  const message = keyword === 'false' ? UNKNOWN_ARGUMENT : error.replace(/\.$/, '');
  const pattern = keyword === 'pattern' ? valueAt(schema, keywordLocation) : undefined;
  return { path: keys.join('.'), message: typeof pattern === 'string' ? `${message} ${pattern}` : message };
}

/** What stands at a JSON pointer; undefined where it leads through a reference. */
function valueAt(schema: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1).map(decode);
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([name]) => name === key)?.[1]
        : undefined,
    schema,
  );
}

/** RFC 6901, section 4. */
function decode(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
