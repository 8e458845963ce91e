import type { ModelEvent } from '@nexus/plugin-sdk';
import type { SourceAnswer } from '../source.ts';

/** What reads one run of a command line: each JSON value that it printed, and the answer at its end. */
export interface CliReader {
  read(value: Readonly<Record<string, unknown>>): void;
  /**
   * Undefined when nothing that was printed is an answer.
   * @throws {ModelFailure} the command line said what went wrong
   */
  answer(): SourceAnswer | undefined;
}

/** One command line: how it is started so that it only answers, and how its output reads. */
export interface CliDialect {
  readonly program: string;
  /** What it gets of the environment beside where things are: its own keys and places. */
  readonly variables: readonly string[];
  /** Set for it, so that it changes nothing by itself. */
  readonly fixed?: Readonly<Record<string, string>>;
  /**
   * Of one that can switch servers off by their names alone: how it says which its user has configured. None of
   * them may start: one may be this very Nexus.
   */
  readonly servers?: {
    readonly args: readonly string[];
    names(printed: unknown): readonly string[];
    /** Set for it, so that none of these starts. */
    off?(servers: readonly string[]): Readonly<Record<string, string>>;
  };
  /** The prompt comes by standard input. @param servers those that must not start */
  args(model: string | undefined, servers: readonly string[]): readonly string[];
  reader(emit: (event: ModelEvent) => void): CliReader;
}
