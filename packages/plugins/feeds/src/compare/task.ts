/** A file to be compared. */
export interface FeedFile {
  /** As the caller wrote it. */
  readonly shown: string;
  /** Its real path. */
  readonly path: string;
  readonly bytes: number;
}

/** Which items of each list are shown. */
export interface ShownPart {
  readonly offset: number;
  readonly limit: number;
}

export interface CompareTask extends ShownPart {
  readonly a: FeedFile;
  readonly b: FeedFile;
  readonly keyPath: string;
  readonly compareFields: readonly string[] | undefined;
  /** An empty folder for the time of the task. */
  readonly folder: string;
}

/** How many there are, and the part that is shown of them. */
export interface Shown<Item> {
  readonly count: number;
  shown: Item[];
}

export interface FeedSummary {
  readonly path: string;
  readonly format: 'json' | 'ndjson' | 'csv';
  readonly rows: number;
  readonly keys: number;
  /** Numbers of rows, from 1. */
  readonly withoutKey: Shown<number>;
  readonly doubled: Shown<{ readonly key: string; readonly times: number; readonly differ: boolean }>;
  /** Rows that could not be read, such as a line of NDJSON that is no JSON. */
  readonly unreadable: Shown<{ readonly row: number; readonly why: string }>;
}

export type Change = {
  readonly key: string;
  readonly fields: Readonly<Record<string, { readonly a: string | null; readonly b: string | null }>>;
};

export interface CompareAnswer {
  readonly a: FeedSummary;
  readonly b: FeedSummary;
  readonly same: number;
  readonly changed: Shown<Change>;
  readonly onlyInA: Shown<string>;
  readonly onlyInB: Shown<string>;
  /** Of `compareFields`, those that no row of either has. */
  readonly fieldsNotFound: string[];
}

export type CompareOutcome = { readonly answer: CompareAnswer } | { readonly refused: string };
