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
export function toIssues(errors: readonly OutputUnit[]): Issue[] {
  const leaves = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const messages = new Map<string, Set<string>>();
  for (const error of leaves.length > 0 ? leaves : errors) {
    const { path, message } = toIssue(error);
    messages.set(path, (messages.get(path) ?? new Set()).add(message));
  }
  return [...messages].map(([path, of]) => ({ path, message: [...of].join('; or ') }));
}

function toIssue({ keyword, instanceLocation, error }: OutputUnit): Issue {
  const keys = instanceLocation.split('/').slice(1).map(decode);
  const [, missing] = keyword === 'required' ? (REQUIRED.exec(error) ?? []) : [];
  if (missing !== undefined) return { path: [...keys, missing].join('.'), message: 'is missing' };
  const message = keyword === 'false' ? UNKNOWN_ARGUMENT : error.replace(/\.$/, '');
  return { path: keys.join('.'), message };
}

/** RFC 6901, section 4. */
function decode(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
