import type { AnyRunKind, Host, RunKindName } from '@nexus/plugin-sdk';

/** A kind with what its runs are given. */
export interface LoadedKind {
  readonly kind: AnyRunKind;
  readonly host: Host;
  /** What the plugin's `start` returned. */
  readonly state: unknown;
}

/** A kind by its name, which is all that it takes to find its runs. */
export interface KnownKind extends RunKindName {
  /** Asked for each run of the kind that begins or goes on here: nothing of a plugin is loaded before. */
  load(): Promise<LoadedKind>;
}

/** The kinds of run that this process can go on with. */
export interface Kinds {
  get(name: RunKindName): KnownKind | undefined;
  readonly names: readonly RunKindName[];
}

const keyOf = ({ name, version }: RunKindName) => `${name} ${version}`;

export function createKinds(known: readonly KnownKind[]): Kinds {
  const byName = new Map(known.map((each) => [keyOf(each), each]));
  return { get: (name) => byName.get(keyOf(name)), names: known };
}
