import type { Workspace } from '../workspace/workspace.ts';
import type { Mutants } from './mutants.ts';

export const SURVIVORS = 'scripts/mutate/survivors.json';

/** Of the mutants that any test could kill, so many per cent are killed at the least. */
export const LEAST = 90;

/** A mutant that no test of its package kills, and why that is accepted. */
export interface Survivor {
  readonly mutant: string;
  /**
   * `same`: it does what the code does, so that no test can tell. `elsewhere`: tests of another package, or end to end,
   * hold it. `harmless`: what it changes guards nothing.
   */
  readonly because: 'same' | 'elsewhere' | 'harmless';
  readonly reason: string;
}

/** What survives of each file, by its path. */
export type Survivors = Readonly<Record<string, readonly Survivor[]>>;

export function readSurvivors(workspace: Workspace): Survivors {
  return JSON.parse(workspace.read(SURVIVORS));
}

/** Of the mutants that any test could kill, in per cent. */
export function scoreOf(
  { total, killed }: Pick<Mutants, 'total' | 'killed'>,
  listed: readonly Survivor[] = [],
): number {
  const possible = total - listed.filter(({ because }) => because === 'same').length;
  return possible === 0 ? 100 : (100 * killed) / possible;
}
