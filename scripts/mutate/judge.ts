import type { Mutants } from './mutants.ts';

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

export interface Verdict {
  /** Of the mutants that any test could kill, in per cent. */
  readonly score: number;
  readonly faults: readonly string[];
}

const LEAST = 90;

/** Holds what became of a file's mutants to the bar, and to the list of survivors in both directions. */
export function judge(mutants: Mutants, listed: readonly Survivor[]): Verdict {
  const left = [...mutants.survivors];
  const stale = listed.filter(({ mutant }) => {
    const at = left.indexOf(mutant);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const same = listed.filter((survivor) => survivor.because === 'same' && !stale.includes(survivor)).length;
  const possible = mutants.total - same;
  const score = possible === 0 ? 100 : (100 * mutants.killed) / possible;
  return {
    score,
    faults: [
      ...(score < LEAST ? [`${score.toFixed(1)}% are killed, ${LEAST}% is the least`] : []),
      ...left.map((mutant) => `survived, and is not listed: ${mutant}`),
      ...stale.map(({ mutant }) => `is listed and did not survive: ${mutant}`),
    ],
  };
}
