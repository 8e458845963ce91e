import { isRecord, typeName } from '@nexus/core';

/** What is wrong with a value, with its place in front; undefined where nothing is. */
export type Check = (value: unknown, path: string) => string | undefined;

export const text: Check = (value, path) =>
  typeof value === 'string' ? undefined : expected('a string', value, path);

export const token: Check = (value, path) =>
  typeof value === 'string' || Number.isInteger(value)
    ? undefined
    : expected('a string or a whole number', value, path);

export function oneOf(...allowed: readonly string[]): Check {
  return (value, path) =>
    allowed.some((each) => each === value)
      ? undefined
      : `${path}: expected one of ${allowed.join(', ')}, received ${shown(value)}`;
}

export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

/** With these members; others are as they may be. */
export function object(members: Readonly<Record<string, Check>> = {}): Check {
  const checks = Object.entries(members);
  return (value, path) => {
    if (!isRecord(value)) return expected('an object', value, path);
    const faults = checks.map(([name, check]) => check(value[name], `${path}.${name}`));
    return faults.filter((fault) => fault !== undefined).join('; ') || undefined;
  };
}

/** An object whose values are all texts. */
export const texts: Check = (value, path) => {
  if (!isRecord(value)) return expected('an object', value, path);
  return object(Object.fromEntries(Object.keys(value).map((name) => [name, text])))(value, path);
};

/** By the value of `type`. */
export function byType(checks: Readonly<Record<string, Check>>): Check {
  const type = object({ type: oneOf(...Object.keys(checks)) });
  return (value, path) => {
    const fault = type(value, path);
    if (fault !== undefined || !isRecord(value)) return fault;
    return checks[String(value.type)]?.(value, path);
  };
}

function expected(what: string, value: unknown, path: string): string {
  return `${path}: expected ${what}, received ${shown(value)}`;
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 100))
    : value === undefined
      ? 'nothing'
      : typeName(value);
}
