import type { AnyPlugin } from '@nexus/plugin-sdk';
import type { z } from 'zod';
import type { Workspace } from '../workspace/workspace.ts';

/** One thing that does not hold, and what to do about it. */
export interface Finding {
  readonly check: string;
  /** A file, with its line where there is one; or the tool. */
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

/** What checks look at: the files, and what ships, read without starting it. */
export interface Subject {
  readonly workspace: Workspace;
  /** The plugins that come with Nexus. */
  readonly plugins: readonly AnyPlugin[];
  /** The config file but for the plugins' sections. */
  readonly configSchema: z.ZodObject;
}

export interface Check {
  readonly name: string;
  /** What holds when it finds nothing, as a sentence. */
  readonly proves: string;
  run(subject: Subject): readonly Finding[] | Promise<readonly Finding[]>;
}

/** A check that looked at nothing proves nothing, so it says so instead of passing. */
export function lookedAtNothing(check: string, what: string): Finding[] {
  const fix = `see why ${what} are no longer found, or remove the check`;
  return [{ check, where: 'scripts/governance', what: `looked at no ${what}`, fix }];
}
