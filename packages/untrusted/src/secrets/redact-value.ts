import { MASK } from './mask.ts';
import { redactText } from './redact-text.ts';
import { isSecretName } from './secret-names.ts';

const MAX_DEPTH = 12;
/** Of one object, list, map or set. */
const MAX_ENTRIES = 1_000;
/** A name that speaks of a secret and stands for something about it. */
const ABOUT_A_SECRET = /(?:file|path|dir|folder|type|kind|name|count|uri|url|endpoint|at|in|ms|s)$/i;

/**
 * Any value as plain data that can be written as JSON, secrets masked: errors with their causes, URLs,
 * bytes, maps, cycles, BigInts, objects whose getters throw. Never throws.
 */
export function redactValue(value: unknown): unknown {
  return walk(value, { ancestors: [], isSecret: false });
}

interface Place {
  readonly ancestors: readonly object[];
  /** Whether its name says that it is a secret. */
  readonly isSecret: boolean;
}

function walk(value: unknown, place: Place): unknown {
  switch (typeof value) {
    case 'string':
      return place.isSecret && value !== '' ? MASK : redactText(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return '[function]';
    case 'object':
      return value === null ? null : walkSafely(value, place);
    default:
      return value;
  }
}

/** Getters, proxies and `toJSON` are code of whoever made the value. */
function walkSafely(value: object, place: Place): unknown {
  if (place.ancestors.includes(value)) return '[circular]';
  if (place.ancestors.length >= MAX_DEPTH) return '[too deep]';
  const inside: Place = { ...place, ancestors: [...place.ancestors, value] };
  try {
    return walkObject(value, inside);
  } catch {
    return '[unreadable]';
  }
}

function walkObject(value: object, inside: Place): unknown {
  if (value instanceof Error) return walkError(value, inside);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Map)
    return walkEntries(
      [...value].map(([key, item]) => [String(key), item]),
      inside,
    );
  const items = value instanceof Set ? [...value] : value;
  if (Array.isArray(items)) {
    const shown = items.slice(0, MAX_ENTRIES).map((item) => walk(item, inside));
    return items.length > MAX_ENTRIES ? [...shown, leftOut(items.length)] : shown;
  }
  if (isHeaders(value)) return walkEntries([...value], inside);
  if ('toJSON' in value && typeof value.toJSON === 'function') return walk(value.toJSON(), inside);
  return walkEntries(ownEntries(value), inside);
}

/** By its tag first: to name the class loads Node's whole fetch, some 20 ms. */
function isHeaders(value: object): value is Headers {
  return Object.prototype.toString.call(value) === '[object Headers]' && value instanceof Headers;
}

function walkError(error: Error, inside: Place): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError ? { errors: error.errors } : {};
  const known = { type: name, message, stack, ...(cause === undefined ? {} : { cause }), ...errors };
  const own = ownEntries(error).filter(([key]) => !(key in known) && key !== 'name');
  return walkEntries([...Object.entries(known), ...own], inside);
}

function leftOut(count: number): string {
  return `[${count - MAX_ENTRIES} more]`;
}

/** One that throws when it is read is said to. */
function ownEntries(value: object): [string, unknown][] {
  return Object.keys(value).map((key) => {
    try {
      return [key, (value as Record<string, unknown>)[key]];
    } catch {
      return [key, '[unreadable]'];
    }
  });
}

function walkEntries(
  entries: readonly (readonly [string, unknown])[],
  inside: Place,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [key, item] of entries.slice(0, MAX_ENTRIES)) {
    const isSecret = inside.isSecret || (isSecretName(key) && !ABOUT_A_SECRET.test(key));
    // Not by assignment: `__proto__` is a key like another.
    Object.defineProperty(shown, redactText(key), {
      value: walk(item, { ...inside, isSecret }),
      enumerable: true,
      configurable: true,
    });
  }
  if (entries.length > MAX_ENTRIES) shown['…'] = leftOut(entries.length);
  return shown;
}
