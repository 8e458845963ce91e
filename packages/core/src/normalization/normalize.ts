import { nearestArgument } from '@nexus/plugin-sdk';
import { cutEnd } from '@nexus/primitives';
import { invalidParams } from '../errors/protocol-error.ts';
import { isRecord, typeName } from '../json-type.ts';
import { parseJson } from './repair.ts';

/** Where the arguments of a call were found. */
export type ArgumentSource = 'arguments' | 'inline' | 'args';

export interface NormalizedCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly source: ArgumentSource;
  /** What stood beside the arguments and is none of them; a value of `args` that another stands for as `args.x`. */
  readonly ignored?: readonly string[];
  /** What stood there besides, by names that are none of the tool's: most are a wrapper's own, and nobody is told. */
  readonly untold?: readonly string[];
  /** Whether `arguments` were the text of an object. */
  readonly isFromText?: true;
}

export interface CallShape {
  /** Whether the tool's input schema declares `key` and `value` fits that property's schema. */
  fits(key: string, value: unknown): boolean;
  readonly listing: { readonly inputSchema: Readonly<Record<string, unknown>> };
  /** Keys that address the tool and so are never arguments: `name` in `tools/call`, `tool` in a bundle. */
  readonly address?: readonly string[];
  /** Whether a model wrote `arguments` into those of another tool; the protocol's own are never text. */
  readonly isWritten?: boolean;
}

/** Beside `arguments` stands what a wrapper has, or a call’s few arguments. Each is looked for among the tool’s. */
const MAX_BESIDE = 1_000;

type Members = Readonly<Record<string, unknown>>;

const ADMINISTRATIVE: ReadonlySet<string> = new Set(['name', 'arguments', 'args', '_meta', 'task']);

/**
 * Turns raw call params into the arguments the caller meant. MCP has them in `params.arguments`; some
 * clients leave that empty and put the fields beside it, or under `args`.
 *
 * A wrapper that does so may put fields of its own there, too: what the tool does not declare is left out and named.
 * Where nothing is the tool's, they are the caller's own, misspelt: all of them where no `arguments` stand there, and
 * beside empty ones those whose names come near to one of the tool's.
 * @throws {ProtocolError} -32602 when `arguments` or `args` is there and no object, or very many fields are beside them
 */
export function normalizeCall(params: Members, shape: CallShape): NormalizedCall {
  const read = shape.isWritten ? objectIn(params.arguments) : undefined;
  if (!read) return normalized(params, shape);
  return { ...normalized({ ...params, arguments: read }, shape), isFromText: true };
}

function normalized(params: Members, shape: CallShape): NormalizedCall {
  assertFew(params);
  const canonical = objectAt(params, 'arguments');
  if (canonical && Object.keys(canonical).length > 0) {
    return { arguments: canonical, source: 'arguments', ...passedOver(params, shape) };
  }
  const { mine, foreign } = beside(params, shape);
  const isArgument = mine.some(([key]) => key === 'args');
  const alias = isArgument ? {} : aliasIn(params, mine.length + foreign.length > 0);
  if (Object.keys(alias).length > 0) {
    const twice = mine.flatMap(([key]) => (Object.hasOwn(alias, key) ? [`args.${key}`] : []));
    const merged = mine.length === 0 ? alias : { ...alias, ...Object.fromEntries(mine) };
    return { arguments: merged, source: 'args', ...ignoring([...twice, ...foreign.map(([key]) => key)]) };
  }
  const isUnread = !isArgument && params.args !== undefined && objectOrNone(params.args) === undefined;
  const named = [...foreign.map(([key]) => key), ...(isUnread ? ['args'] : [])];
  if (mine.length > 0) return { arguments: Object.fromEntries(mine), source: 'inline', ...ignoring(named) };
  const own = foreign.filter(([key]) => !ADMINISTRATIVE.has(key));
  const misspelt = canonical ? own.filter(([key]) => isNearlyDeclared(key, shape)) : own;
  if (misspelt.length > 0 && declaresAny(shape)) {
    const meant = Object.fromEntries(misspelt);
    return {
      arguments: meant,
      source: 'inline',
      ...ignoring(named.filter((key) => !Object.hasOwn(meant, key))),
    };
  }
  return { arguments: {}, source: 'arguments', ...ignoring(named) };
}

function assertFew(params: Members): void {
  const count = Object.keys(params).length;
  if (count <= MAX_BESIDE) return;
  throw invalidParams(
    `${count} fields stand in the call beside arguments, and at most ${MAX_BESIDE} are looked at; put what is for the tool into arguments`,
    { fields: count },
  );
}

/** What may have been meant as arguments beside those that stand there. */
function passedOver(params: Members, shape: CallShape): Pick<NormalizedCall, 'ignored' | 'untold'> {
  const address = shape.address ?? ['name'];
  const isOwn = (key: string) => isProtocolsOwn(key, params[key]) && !(key === 'task' && isNamed(key, shape));
  const keys = Object.keys(params).filter(
    (key) => !address.includes(key) && params[key] !== undefined && !isOwn(key),
  );
  const isTold = (key: string) => key === 'args' || (!ADMINISTRATIVE.has(key) && isNamed(key, shape));
  const untold = keys.filter((key) => !isTold(key));
  return { ...ignoring(keys.filter(isTold)), ...(untold.length === 0 ? {} : { untold }) };
}

function ignoring(ignored: readonly string[]) {
  return ignored.length === 0 ? {} : { ignored };
}

/** In-process callers write `undefined` where JSON has no key; both count as absent. */
function objectAt(params: Members, key: 'arguments' | 'args') {
  const value = Object.hasOwn(params, key) ? params[key] : undefined;
  if (value === undefined || isRecord(value)) return value;
  const received = typeName(value);
  const meant = objectIn(value);
  const form = meant ? `; send the object itself, not its text: ${cutEnd(JSON.stringify(meant), 500)}` : '';
  throw invalidParams(`${key} must be an object, received ${received}${form}`, { received });
}

/** The object whose JSON a text is. */
function objectIn(value: unknown): Members | undefined {
  return typeof value === 'string' ? objectOrNone(parseJson(value)) : undefined;
}

function objectOrNone(value: unknown): Members | undefined {
  return isRecord(value) ? value : undefined;
}

/** Beside fields that may be the arguments, an `args` that is no object is one more field of the wrapper. */
function aliasIn(params: Members, isBesideOthers: boolean): Members {
  return (isBesideOthers ? objectOrNone(params.args) : objectAt(params, 'args')) ?? {};
}

/** What stands in the params that neither the protocol nor the tool's address has there. */
function beside(params: Members, shape: CallShape) {
  const address = shape.address ?? ['name'];
  const mine: [string, unknown][] = [];
  const foreign: [string, unknown][] = [];
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined || address.includes(key) || isProtocolsOwn(key, value)) continue;
    if (ADMINISTRATIVE.has(key)) {
      if (shape.fits(key, value)) mine.push([key, value]);
      else if (key !== 'args') foreign.push([key, value]);
    } else (isDeclared(key, shape) ? mine : foreign).push([key, value]);
  }
  return { mine, foreign };
}

/** By name, or by a schema that says itself that it takes others; most schemas of servers are open unsaid. */
function isDeclared(key: string, shape: CallShape): boolean {
  const { additionalProperties = false } = shape.listing.inputSchema;
  return additionalProperties !== false || isNamed(key, shape);
}

function isNamed(key: string, shape: CallShape): boolean {
  return declaredBy(shape).includes(key);
}

function isNearlyDeclared(key: string, shape: CallShape): boolean {
  return nearestArgument(key, declaredBy(shape)) !== undefined;
}

function declaresAny(shape: CallShape): boolean {
  return declaredBy(shape).length > 0;
}

function declaredBy({ listing }: CallShape): readonly string[] {
  const { properties } = listing.inputSchema;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** `task: {ttl}` asks for a protocol task (MCP 2025-11-25, Tasks); any other `task` can be an argument. */
function isProtocolsOwn(key: string, value: unknown): boolean {
  return key === 'arguments' || key === '_meta' || (key === 'task' && isRecord(value));
}
