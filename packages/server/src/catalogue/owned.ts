import { type PluginRuntime, RegistrationError } from '@nexus/core';

/** A definition with the plugin that it belongs to. */
export interface Owned<Definition> {
  readonly definition: Definition;
  readonly runtime: PluginRuntime;
}

/** @throws {RegistrationError} when the key is taken */
export function addOwned<Definition>(
  entries: Map<string, Owned<Definition>>,
  key: string,
  entry: Owned<Definition>,
): void {
  const holder = entries.get(key);
  if (holder) {
    const text = `plugin "${entry.runtime.name}": "${key}" is taken by plugin "${holder.runtime.name}"; rename one`;
    throw new RegistrationError(text);
  }
  entries.set(key, entry);
}

/** In the order of their keys: lists must be stable. */
export function sortedDefinitions<Definition>(entries: Map<string, Owned<Definition>>): Definition[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { definition }]) => definition);
}
