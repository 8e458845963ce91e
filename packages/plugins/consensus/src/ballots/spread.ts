import { type ModelProvider, matchesName } from '@nexus/plugin-sdk';
import { modelName, vendorOf } from './vendors.ts';

/**
 * The distinct models that there are, so ordered that the first few are of as many vendors as possible: each
 * vendor's first one in the config's order, then each one's second, and so on.
 * @param allowed patterns of `provider:name`; none allows all
 */
export function distinctModels(
  providers: readonly ModelProvider[],
  allowed: readonly string[] = [],
): readonly string[] {
  const found = providers.filter(({ isFound }) => isFound).flatMap(({ models }) => models);
  const byVendor = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { id } of found) {
    if (allowed.length > 0 && !allowed.some((pattern) => matchesName(pattern, id))) continue;
    const vendor = vendorOf(id);
    const same = `${vendor}\n${modelName(id)}`;
    if (seen.has(same)) continue;
    seen.add(same);
    byVendor.set(vendor, [...(byVendor.get(vendor) ?? []), id]);
  }
  const rows = [...byVendor.values()];
  const depth = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: depth }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
}

/** One model for each of so many voters, in turn: the same models always give the same spread. */
export function spread(models: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => models[at % models.length] as string);
}
