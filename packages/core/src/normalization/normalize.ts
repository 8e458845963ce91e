import { invalidParams } from '../errors/protocol-error.ts';
import { isRecord, typeName } from '../json-type.ts';

/** Where the arguments of a call were found. */
export type ArgumentSource = 'arguments' | 'inline' | 'args';

export interface NormalizedCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly source: ArgumentSource;
}

export interface CallShape {
  /** Whether the tool's input schema declares `key` and `value` fits that property's schema. */
  fits(key: string, value: unknown): boolean;
  /** Keys that address the tool and so are never arguments: `name` in `tools/call`, `tool` in a bundle. */
  readonly address?: readonly string[];
}

const ADMINISTRATIVE: ReadonlySet<string> = new Set(['name', 'arguments', 'args', '_meta', 'task']);

/**
 * Turns raw call params into the arguments the caller meant. MCP has them in `params.arguments`; some
 * clients leave that empty and put the fields beside it, or under `args`.
 * @throws {ProtocolError} -32602 when `arguments` or `args` is there and no object
 */
export function normalizeCall(params: Readonly<Record<string, unknown>>, shape: CallShape): NormalizedCall {
  const canonical = objectAt(params, 'arguments');
  if (canonical && Object.keys(canonical).length > 0) return { arguments: canonical, source: 'arguments' };
  const inline = inlineArguments(params, shape);
  if (inline.length > 0) return { arguments: Object.fromEntries(inline), source: 'inline' };
  const alias = objectAt(params, 'args');
  if (alias && Object.keys(alias).length > 0) return { arguments: alias, source: 'args' };
  return { arguments: {}, source: 'arguments' };
}

/** In-process callers write `undefined` where JSON has no key; both count as absent. */
function objectAt(params: Readonly<Record<string, unknown>>, key: 'arguments' | 'args') {
  const value = Object.hasOwn(params, key) ? params[key] : undefined;
  if (value === undefined || isRecord(value)) return value;
  const received = typeName(value);
  throw invalidParams(`${key} must be an object, received ${received}`, { received });
}

function inlineArguments(params: Readonly<Record<string, unknown>>, shape: CallShape): [string, unknown][] {
  const address = shape.address ?? ['name'];
  return Object.entries(params).filter(([key, value]) => {
    if (value === undefined || address.includes(key)) return false;
    if (!ADMINISTRATIVE.has(key)) return true;
    return !isProtocolsOwn(key, value) && shape.fits(key, value);
  });
}

/** `task: {ttl}` asks for a protocol task (MCP 2025-11-25, Tasks); any other `task` can be an argument. */
function isProtocolsOwn(key: string, value: unknown): boolean {
  return key === 'arguments' || key === '_meta' || (key === 'task' && isRecord(value));
}
