import { isRecord } from '../json-type.ts';
import { argumentMeant } from './argument-meant.ts';
import { type Example, exampleArguments, isToBeFilledIn, neededArguments } from './example.ts';
import { meantValue } from './meant-value.ts';
import type { RegisteredTool } from './registered-tool.ts';

type Members = Readonly<Record<string, unknown>>;

/** A longer one is not read, and a cut one can't be copied. */
const MAX_CHARS = 1_000;
/** Of a call with more, no part would be its caller's. */
const MAX_KEYS = 50;

/** A value as it is shown, and one that passes in its place. */
interface Meant {
  readonly shown: unknown;
  readonly passing: unknown;
}

/**
 * Arguments in the caller's own values as far as they fit: what stands under a name that is none is put where it
 * belongs, one for a list and a list of one for one are read as such, a choice as the nearest that there is. What is
 * required and missing is to be filled in, as is what was given in no form that fits.
 * @returns undefined where that does not pass once it is filled in, or nothing of the caller's would be in it
 */
export function meantArguments(tool: RegisteredTool, sent: Members): Example | undefined {
  const { inputSchema } = tool.listing;
  const entries = Object.entries(sent);
  if (entries.length === 0 || entries.length > MAX_KEYS) return undefined;
  const declared = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const own = new Map<string, Meant>();
  const put = (name: string, value: unknown, written: string) => {
    const meant = meantAs(tool, name, { value, written });
    if (meant) own.set(name, meant);
  };
  for (const [key, value] of entries) if (Object.hasOwn(declared, key)) put(key, value, key);
  for (const [key, value] of entries) {
    if (value === undefined || Object.hasOwn(declared, key)) continue;
    const [first = '', inner] =
      argumentMeant(key, inputSchema, { aliases: tool.aliases, value })?.split('.') ?? [];
    const before = own.get(first)?.passing;
    if (inner !== undefined) put(first, { ...(isRecord(before) ? before : {}), [inner]: value }, key);
    else if (before === undefined) put(first, value, key);
  }
  if (own.size === 0) return undefined;
  const membersOf = (which: keyof Meant) =>
    Object.fromEntries([...own].map(([key, meant]) => [key, meant[which]]));
  // Given, and in no form that fits.
  const formless = entries.flatMap(([key, value]) =>
    Object.hasOwn(declared, key) && !own.has(key) && (value ?? undefined) !== undefined ? [key] : [],
  );
  const needed = Object.entries(neededArguments(inputSchema, formless).arguments);
  const shown = { ...Object.fromEntries(needed), ...membersOf('shown') };
  if (JSON.stringify(shown).length > MAX_CHARS) return undefined;
  if (!tool.validate({ ...exampleArguments(inputSchema), ...membersOf('passing') }).ok) return undefined;
  const isOpen = needed.some(([key, value]) => !own.has(key) && isToBeFilledIn(value));
  const isOpenInside = [...own.values()].some(
    ({ shown, passing }) => JSON.stringify(shown) !== JSON.stringify(passing),
  );
  return { arguments: shown, isToBeFilledIn: isOpen || isOpenInside };
}

/** @returns undefined where the value does not fit the argument in any form */
function meantAs(
  tool: RegisteredTool,
  name: string,
  { value, written }: { readonly value: unknown; readonly written: string },
): Meant | undefined {
  if (tool.fits(name, value)) return { shown: value, passing: value };
  const { properties } = tool.listing.inputSchema;
  if (!isRecord(properties) || !Object.hasOwn(properties, name)) return undefined;
  const place = { schema: properties[name], name, written };
  const passing = meantValue(value, { ...place, isShown: false });
  if (!tool.fits(name, passing)) return undefined;
  return { passing, shown: meantValue(value, { ...place, isShown: true }) };
}
