import { isRecord } from '../json-type.ts';
import { exampleArguments } from './example.ts';
import { argumentMeant } from './invalid-arguments.ts';
import type { RegisteredTool } from './registered-tool.ts';

type Members = Readonly<Record<string, unknown>>;

/** A longer one is not read, and a cut one can't be copied. */
const MAX_CHARS = 1_000;
/** Of a call with more, no part would be its caller's. */
const MAX_KEYS = 50;

/**
 * Arguments that pass, in the caller's own values as far as they fit: what stands under a name that is none is put
 * where it belongs, and what is required and missing is as in any example.
 * @returns undefined where that does not pass, or nothing of the caller's would be in it
 */
export function meantArguments(tool: RegisteredTool, sent: Members): Members | undefined {
  const { inputSchema } = tool.listing;
  const entries = Object.entries(sent);
  if (entries.length === 0 || entries.length > MAX_KEYS) return undefined;
  const declared = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const own = new Map(entries.filter(([key, value]) => tool.fits(key, value)));
  for (const [key, value] of entries) {
    if (value === undefined || Object.hasOwn(declared, key)) continue;
    const [first = '', inner] = argumentMeant(key, inputSchema, tool.aliases)?.split('.') ?? [];
    const before = own.get(first);
    const put = inner === undefined ? value : { ...(isRecord(before) ? before : {}), [inner]: value };
    if ((inner !== undefined || before === undefined) && tool.fits(first, put)) own.set(first, put);
  }
  if (own.size === 0) return undefined;
  const meant = { ...exampleArguments(inputSchema), ...Object.fromEntries(own) };
  return JSON.stringify(meant).length <= MAX_CHARS && tool.validate(meant).ok ? meant : undefined;
}
