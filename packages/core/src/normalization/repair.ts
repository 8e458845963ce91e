import type { ToolHints } from '@nexus/plugin-sdk';
import { doubledKey, roundedNumbers } from '@nexus/primitives';
import { mayDestroy } from '../annotations/hints.ts';
import { isRecord } from '../json-type.ts';

type Members = Readonly<Record<string, unknown>>;

/** What was made of values that fit no schema, and plainly mean ones that do; keys at the top level. */
export interface Repair {
  readonly arguments: Members;
  /** Whose text was read as JSON. */
  readonly repaired: readonly string[];
  /** Whose one text stands for a list of one. */
  readonly listed: readonly string[];
  /** Optional ones that were null, and are left out. */
  readonly nulls: readonly string[];
}

export interface Repairable {
  readonly listing: { readonly inputSchema: Members };
  readonly hints: ToolHints;
  readonly isConduit?: boolean | undefined;
  fits(key: string, value: unknown): boolean;
}

const PARSEABLE: ReadonlySet<unknown> = new Set(['object', 'array', 'number', 'integer', 'boolean']);

/** By which one text may stand for several, or be a list that was written as text. */
const MAY_BE_SEVERAL = /[,;\n]|^\s*[[{]|^\s*$/;

/**
 * Reads stringified values (`"limit": "5"`, `"ops": "[…]"`) as what the schema wants, one text as a list of one, and
 * null as absent. Only for arguments that failed validation: a valid call is never changed. Of a call that may destroy
 * only what holds all that was written is read.
 * @returns undefined when nothing could be repaired
 */
export function repairArguments(args: Members, tool: Repairable): Repair | undefined {
  const { inputSchema } = tool.listing;
  const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const repaired: [string, unknown][] = [];
  const listed: [string, unknown][] = [];
  const nulls: string[] = [];
  // Without its filter it could destroy more; what a conduit calls is looked at itself.
  const isStrict = tool.isConduit !== true && mayDestroy(tool.hints);
  // By the schema's names: of those that it does not know a call may have very many.
  for (const key of Object.keys(properties)) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (value === null && !isStrict && isLeftOut(key, tool)) nulls.push(key);
    if (typeof value !== 'string' || tool.fits(key, value)) continue;
    const parsed = wantsAny(properties[key], PARSEABLE) ? parseJson(value) : undefined;
    if (parsed !== undefined && typeof parsed !== 'string' && tool.fits(key, parsed))
      repaired.push([key, parsed]);
    else if (!isStrict && isListOfOne(value, properties[key]) && tool.fits(key, [value]))
      listed.push([key, [value]]);
  }
  if (repaired.length + listed.length + nulls.length === 0) return undefined;
  const kept = Object.entries(args).filter(([key]) => !nulls.includes(key));
  return {
    arguments: Object.fromEntries([...kept, ...repaired, ...listed]),
    repaired: repaired.map(([key]) => key),
    listed: listed.map(([key]) => key),
    nulls,
  };
}

/** JSON that no number of is rounded by, and no key stands twice in; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    // What would be another number then stays as it was written, and is refused for its type.
    const isExact = roundedNumbers(text).length === 0 && doubledKey(text) === undefined;
    return isExact ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function isLeftOut(key: string, { listing, fits }: Repairable): boolean {
  const { required } = listing.inputSchema;
  return !(Array.isArray(required) && required.includes(key)) && !fits(key, null);
}

const LIST: ReadonlySet<unknown> = new Set(['array']);

function isListOfOne(value: string, schema: unknown): boolean {
  return wantsAny(schema, LIST) && !MAY_BE_SEVERAL.test(value);
}

function wantsAny(schema: unknown, types: ReadonlySet<unknown>): boolean {
  if (!isRecord(schema)) return false;
  if ([schema.type].flat().some((type) => types.has(type))) return true;
  return [schema.anyOf, schema.oneOf, schema.allOf].flat().some((each) => wantsAny(each, types));
}
