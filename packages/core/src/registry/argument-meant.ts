import { nearestArgument } from '@nexus/plugin-sdk';
import { isRecord } from '../json-type.ts';

/** What is known of an argument whose name is none. */
interface Known {
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** What was given under it. */
  readonly value?: unknown;
}

/**
 * Where what was given under a name that is no argument's belongs: an argument, or a place in one. A name that is
 * given as true may be the choice of another argument: `regex: true` of a mode.
 */
export function argumentMeant(
  name: string,
  { properties: declared }: Readonly<Record<string, unknown>>,
  { aliases = {}, value }: Known = {},
): string | undefined {
  const properties = isRecord(declared) ? Object.entries(declared) : [];
  const hasChoice = ([, each]: readonly [string, unknown]) =>
    isRecord(each) && Array.isArray(each.enum) && each.enum.includes(name);
  const chosen = value === true ? properties.find(hasChoice) : undefined;
  if (chosen) return chosen[0];
  if (Object.hasOwn(aliases, name)) return aliases[name];
  return nearestArgument(
    name,
    properties.map(([key]) => key),
  );
}
