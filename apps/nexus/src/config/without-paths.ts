import type { RawConfig } from './raw-config.ts';

/**
 * A config without some of its parts; what held them stays, empty where they were all.
 * @param paths each as its keys, items of lists by their index
 */
export function withoutPaths(raw: RawConfig, paths: readonly (readonly string[])[]): RawConfig {
  if (paths.length === 0) return raw;
  const left = new Set(paths.map((path) => JSON.stringify(path)));
  const keep = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value)
      .filter(([key]) => !left.has(JSON.stringify([...path, key])))
      .map(([key, item]) => [key, keep(item, [...path, key])] as const);
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  return keep(raw, []) as RawConfig;
}
