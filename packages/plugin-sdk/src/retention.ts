import type { Dialect } from './store.ts';

/**
 * How long rows of one table stay: plain data, by which one sweeper of the project takes them, and people are told.
 * Each table that a plugin's migrations make has one, or is a part of one that has; several may be of one table.
 */
export type Retention = Swept | Kept;

interface Stated {
  /** Columns and conditions are SQL that both dialects take, with names of the table's plugin alone. */
  readonly table: string;
  /** What its rows are, for people. */
  readonly holds: string;
}

/** Rows go by their age, or as the oldest of too many. */
export interface Swept extends Stated {
  /** The column of the time that counts, in epoch milliseconds. Where it is null the row stays. */
  readonly age: string;
  /** Older ones go; `retention.<table>.days` in the config in its place. */
  readonly days: number;
  /** Of more than these the oldest go; `retention.<table>.rows` in the config in its place. */
  readonly rows?: number;
  /** SQL: of which rows this is said. Whatever waits, or is referred to, is left out here. */
  readonly only?: string;
  /** Rows of others that go with it, before it. */
  readonly parts?: readonly RetentionPart[];
}

export interface RetentionPart {
  readonly table: string;
  readonly holds: string;
  /** The column that names the row it is of, by dialect where that differs. */
  readonly by: string | Readonly<Record<Dialect, string>>;
  /** The column of the row that is named. */
  readonly of: string;
}

/** Rows stay, or are taken by their owner. */
export interface Kept extends Stated {
  /** Why they do not grow without end, or who takes them and when. */
  readonly kept: string;
  /** The column of a time by which their age is shown, in epoch milliseconds. */
  readonly age?: string;
}

export function isSwept(retention: Retention): retention is Swept {
  return 'days' in retention;
}
