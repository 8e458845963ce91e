import type { RunContract } from '../run-kind.ts';

export interface CheckChangeInput {
  /** As a unified diff, which the last commit has, or which can be applied to it. */
  readonly change: string;
}

/** A command that judges a change, without it and with it. */
export interface CheckedChange {
  readonly name: string;
  readonly without: 'passed' | 'failed' | 'timed_out';
  readonly with: 'passed' | 'failed' | 'timed_out';
  /** What it printed with the change. */
  readonly output: string;
}

/** How the commands came out; plain JSON. */
export interface CheckChangeOutput {
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
