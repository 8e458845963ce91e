import type { Question } from '@nexus/plugin-sdk';

/** Where something came from first: the name of a tool. */
export interface Known {
  readonly untrusted: string | undefined;
  readonly private: string | undefined;
}

/** Where what a run's family has come to know outlives the process that came to know it. */
export interface KnownOnRecord {
  read(): Promise<Known>;
  /** It only grows. */
  add(known: Known): Promise<void>;
}

/** What a call of a tool that is a run begins, or goes on with. */
export interface BegunRun {
  readonly kind: string;
  readonly request: unknown;
}

/**
 * A person's word on exactly that subject, for a call that nobody waits by.
 * @param begins the run that the call was let in for before, if the record has one
 * @returns undefined while nobody has said any
 */
export type AskYes = (
  question: Pick<Question, 'message'> & Required<Pick<Question, 'subject'>>,
  begins?: BegunRun,
) => Promise<boolean | undefined>;
