import type { AnyRunKind, Host, RunKindName } from '@nexus/plugin-sdk';

/** A kind, and the plugin that it is of. */
export interface KnownKind {
  readonly kind: AnyRunKind;
  readonly host: Host;
  /** What the plugin's `start` returned. */
  state(): Promise<unknown>;
}

/** The kinds of run that this process can go on with. */
export interface Kinds {
  get(name: RunKindName): KnownKind | undefined;
  readonly names: readonly RunKindName[];
}

const keyOf = ({ name, version }: RunKindName) => `${name} ${version}`;

export function createKinds(known: readonly KnownKind[]): Kinds {
  const byName = new Map(known.map((each) => [keyOf(each.kind), each]));
  return {
    get: (name) => byName.get(keyOf(name)),
    names: known.map(({ kind: { name, version } }) => ({ name, version })),
  };
}
