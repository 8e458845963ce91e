import type { Reference } from '../runs/contracts/expert-turn.ts';
import type { NamesLookedUp } from './look-up-names.ts';

/**
 * What stands behind a claim. `ran`: a command or a test that was run. `read`: what was opened, or named, looked up and
 * is there. `believed`: neither.
 */
export const bases = ['ran', 'read', 'believed'] as const;

export type Basis = (typeof bases)[number];

/** The same words wherever a basis is told; docs/experts.md says what each means. */
export const BASIS_MEANS = 'By a test run, by what was read, or neither.';

/** Of a text that nothing was run for, by what it names and what its author opened; one invented name makes it believed. */
export function basisOf(
  { places, files, missing }: Pick<NamesLookedUp, 'places' | 'files' | 'missing'>,
  references: readonly Pick<Reference, 'isError'>[] = [],
): Exclude<Basis, 'ran'> {
  const hasRead = references.some(({ isError }) => !isError) || places.length > 0 || files.length > 0;
  return hasRead && missing.length === 0 ? 'read' : 'believed';
}

/** What is told to an author of what it named and what is not there. */
export function missingText(missing: readonly string[]): string {
  return `These are not in the project: ${missing.join(', ')}. Look up what you name; write what is yet to be made as new:path or new:name.`;
}
