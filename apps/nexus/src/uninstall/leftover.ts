/** Something that Nexus has left on this machine. */
export interface Leftover {
  /** What it is, and where, for a person. */
  readonly what: string;
  /** Of a branch, how it is named where it is kept. */
  readonly branch?: string;
  remove(): Promise<void>;
}

export interface Leftovers {
  readonly found: readonly Leftover[];
  /** What lies beside it and is not Nexus's, for a person. */
  readonly others: readonly string[];
}
