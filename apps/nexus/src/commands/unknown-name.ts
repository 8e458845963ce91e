import { nearestNames } from '@nexus/plugin-sdk';

/** What to say of a name that a person wrote and that is none of those there are; undefined for one that is. */
export function unknownName(what: string, name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return undefined;
  const nearest = nearestNames(name, names);
  const hint =
    nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : `there are ${names.join(', ') || 'none'}`;
  return `no ${what} "${name}"; ${hint}`;
}
