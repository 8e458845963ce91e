import type { AnyRunKind, Host } from '@nexus/plugin-sdk';
import type { Engine } from '../src/index.ts';

/** Makes a kind known that is at hand. */
export function define(engine: Engine, kind: AnyRunKind): void {
  const { name, version, place, choices } = kind;
  engine.define({
    name,
    version,
    place,
    choices,
    load: async () => ({ kind, host: {} as Host, state: undefined }),
  });
}
