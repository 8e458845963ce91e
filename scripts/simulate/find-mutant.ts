import { bundle } from './bundle.ts';
import type { Mutant } from './mutants.ts';
import { runSeeds } from './run-seeds.ts';

const BATCH = 100;

export interface FoundMutant {
  readonly seed: number;
  /** What the simulator held against it. */
  readonly sort: string;
}

/** @returns the first seed that goes wrong with the mutant, and holds without it */
export async function findMutant(
  mutant: Mutant,
  { from, count, processes }: { from: number; count: number; processes?: number | undefined },
): Promise<FoundMutant | undefined> {
  const plain = await bundle();
  const file = await bundle(mutant);
  for (let at = from; at < from + count; at += BATCH) {
    const batch = { from: at, count: Math.min(BATCH, from + count - at), processes };
    const { failures } = await runSeeds({ file, ...batch, isUntilFirst: false });
    for (const { seed, sort } of failures) {
      const without = await runSeeds({ file: plain, from: seed, count: 1, isUntilFirst: false });
      if (without.failures.length === 0) return { seed, sort };
    }
  }
  return undefined;
}
