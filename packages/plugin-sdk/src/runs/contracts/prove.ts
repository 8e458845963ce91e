import type { Basis } from '../../named/basis.ts';
import type { ProgramEnd } from '../../programs/programs.ts';
import type { RunContract } from '../run-kind.ts';

/**
 * What a test is to do. `fails`: be red as things are, which shows a fault, or that something is not there yet.
 * `holds`: be green as things are, and red once the code is broken there. `mend`: be red as things are and green with
 * a mend that comes with it.
 */
export const proofKinds = ['fails', 'holds', 'mend'] as const;

export interface ProveInput {
  readonly kind: (typeof proofKinds)[number];
  /** What is said to be so; like all that is given here, data to whoever writes the test. */
  readonly claim: string;
  /** What is known of it, by what it is. */
  readonly context?: Readonly<Record<string, string>>;
  /** Where it is about a change: as a unified diff, which the last commit has, or which can be applied to it. */
  readonly change?: string;
  /**
   * Of `holds`, where it was brought about on a branch: the worktree begins there, in the place of the last commit, and
   * the test is to be red on the code as it was before, in the place of broken code.
   */
  readonly brought?: { readonly branch: string /** The commit before. */; readonly since: string };
}

/** What came of it; plain JSON. */
export interface ProveOutput {
  /**
   * `shown`: by what was run. `refuted`: of `holds`, a test that was written for it is red as things are.
   * `not_shown`: no test was found that shows it. `not_run`: nothing could be run; `why` says what is missing.
   */
  readonly verdict: 'shown' | 'refuted' | 'not_shown' | 'not_run';
  readonly basis: Basis;
  /** In a sentence or two: what was run, and how it came out. */
  readonly why: string;
  /** The tests that were written, by path. */
  readonly tests: readonly string[];
  /** Of the tests and, with `mend`, of the mend; cut where it is long. */
  readonly diff: string;
  /** What the check printed that was red. */
  readonly output: string;
  /**
   * What it says against the claim: a test of it that came out the other way or, of `fails`, why its author wrote none.
   * Whoever holds that the claim is so must have it judged anew.
   */
  readonly against?: string;
  /** Of a mend that is shown. */
  readonly branch?: string;
}

/**
 * Shows by a test that is run whether something is so, in a worktree of its own at the last commit, with the commands
 * that the config allows, as the plugin `workflows` does it. It fails for nothing that is missing: it says so.
 */
export const prove: RunContract<ProveInput, ProveOutput> = {
  name: 'workflows.prove',
  version: 2,
  place: 'machine',
};

interface CheckChangeInput {
  /** As a unified diff, which the last commit has, or which can be applied to it. */
  readonly change: string;
}

/** A command that judges a change, without it and with it. */
interface CheckedChange {
  readonly name: string;
  readonly without: ProgramEnd['outcome'];
  readonly with: ProgramEnd['outcome'];
  /** What it printed with the change. */
  readonly output: string;
}

/** How the commands came out; plain JSON. */
interface CheckChangeOutput {
  /** Empty where nothing could be run. */
  readonly checks: readonly CheckedChange[];
  /** What is missing where nothing could be run. */
  readonly why?: string;
}

/**
 * Runs the commands that the config allows without a change and with it, in a worktree of its own at the last commit,
 * as the plugin `workflows` does it. It fails for nothing that is missing: it says so.
 */
export const checkChange: RunContract<CheckChangeInput, CheckChangeOutput> = {
  name: 'workflows.check-change',
  version: 1,
  place: 'machine',
};
