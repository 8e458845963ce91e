import type { AnyRunKind, Host, RunKindName } from '@nexus/plugin-sdk';
import type { RunRow } from '../record/tables.ts';

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
  /** Whether a run of the kind needs what this process is without: it is left to who has it. */
  isElsewhere?(run: RunRow, input: unknown): boolean;
}

/** The kinds of run that this process can go on with. */
export interface Kinds {
  get(name: RunKindName): KnownKind | undefined;
  readonly names: readonly RunKindName[];
  /** Leaves runs of a title to others, for as long as this one is elsewhere. */
  leave(run: RunRow, input: unknown): void;
  /** Titles of runs that are left to others. */
  readonly left: readonly string[];
}

const keyOf = ({ name, version }: RunKindName) => `${name} ${version}`;

export function createKinds(known: readonly KnownKind[]): Kinds {
  const byName = new Map(known.map((each) => [keyOf(each), each]));
  const get = (name: RunKindName) => byName.get(keyOf(name));
  const left = new Map<string, { readonly run: RunRow; readonly input: unknown }>();
  return {
    get,
    names: known,
    leave: (run, input) => void left.set(run.title, { run, input }),
    get left() {
      // A plugin may have come back.
      for (const [title, { run, input }] of left)
        if (!get({ name: run.kind, version: run.version })?.isElsewhere?.(run, input)) left.delete(title);
      return [...left.keys()];
    },
  };
}
