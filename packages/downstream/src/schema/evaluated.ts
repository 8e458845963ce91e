import type { References } from './references.ts';

/** Names of properties and indexes of items that a schema has looked at, for `unevaluated…`. */
export type Evaluated = Set<string | number>;

/** Where no schema asks for it, nothing is kept. */
const NOT_KEPT: Evaluated = Object.assign(new Set<string | number>(), {
  add() {
    return NOT_KEPT;
  },
});

export function noneEvaluated({ references }: { readonly references: References }): Evaluated {
  return references.hasUnevaluated ? new Set() : NOT_KEPT;
}
