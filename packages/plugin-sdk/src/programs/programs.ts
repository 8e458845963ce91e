import type { Readable } from 'node:stream';

/** A program to run. No shell reads it. */
export interface Program {
  /** Program and arguments, as they are. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Names of variables that it gets beside those of the place, as `programEnvironment` has them. */
  readonly environment: readonly string[];
  /** After which it is ended. */
  readonly timeoutMs: number;
  /** Of what it prints, less what a test runner said of tests that passed; more is cut in the middle. */
  readonly maxOutputChars: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What became of a program that could be started; plain JSON. */
export interface ProgramEnd {
  readonly outcome: 'passed' | 'failed' | 'timed_out';
  /** Absent where it was ended. */
  readonly exitCode?: number;
  /** What it printed on both streams; of the tests that passed, how many lines told of them. */
  readonly output: string;
  readonly durationMs: number;
}

/** A program that is read while it runs, and starts none of its own. */
export interface ReadProgram {
  /** Program and arguments, as they are. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** All that it gets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What runs. It has nothing to read. */
export interface RunningProgram {
  readonly pid: number;
  /** Both are to be read to their end; one on which nothing was printed may be closed already. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it is gone; `exitCode` is null where it was ended, or nobody can tell. */
  readonly exited: Promise<{ readonly exitCode: number | null }>;
  /** Ends it by force; nothing where it is gone. */
  end(): void;
}

/** Programs of the machine, each ended with all that it started, and with this process however that ends. */
export interface Programs {
  /**
   * Runs a program to its end. What may be run is for the config to say, which its user trusts.
   * @throws {ToolError} NEXUS_UNAVAILABLE where it can't be started; the signal's reason
   */
  run(program: Program): Promise<ProgramEnd>;
  /**
   * Starts a program whose output is read as it comes. Which it is is for the plugin to say, not for a config.
   * @throws the system's error where it can't be started; the signal's reason
   */
  start(program: ReadProgram): Promise<RunningProgram>;
}
