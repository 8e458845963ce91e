import type { Definition } from './read-definitions.ts';

/** Every key as it is and where it is, but for the name; the full name where that was shortened or changed. */
export function renamed(definition: Definition, name: string, full: string | undefined): Definition {
  if (full === undefined) return { ...definition, name };
  const meta = definition._meta;
  return { ...definition, name, _meta: { ...(typeof meta === 'object' ? meta : {}), 'nexus/name': full } };
}
