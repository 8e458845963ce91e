import { nearestNames } from '@nexus/plugin-sdk';

/** For the end of a message: `; did you mean x?`, or what there is. */
export function hintOf(typed: string, names: Iterable<string>): string {
  const all = [...names];
  const [near] = nearestNames(typed, all, 1);
  if (near !== undefined) return `; did you mean ${near}?`;
  return all.length === 0 ? '' : `; there ${all.length === 1 ? 'is' : 'are'} ${all.slice(0, 20).join(', ')}`;
}
