import type { AnyPlugin, RunKindName } from '@nexus/plugin-sdk';

/** A file of its own: a start that imports a plugin needs this of the listing, and none of its schemas. */
export function listRuns({ runs = [] }: AnyPlugin): RunKindName[] {
  return runs.map(({ name, version, place, isAgent, choices }) => ({
    name,
    version,
    ...(place ? { place } : {}),
    ...(isAgent ? { isAgent } : {}),
    ...(choices ? { choices } : {}),
  }));
}
