import type { Mutants } from './mutants.ts';
import { LEAST, type Survivor, scoreOf } from './survivors.ts';

export interface Verdict {
  /** Of the mutants that any test could kill, in per cent. */
  readonly score: number;
  readonly faults: readonly string[];
}

/** Holds what became of a file's mutants to the bar, and to the list of survivors in both directions. */
export function judge(mutants: Mutants, listed: readonly Survivor[]): Verdict {
  const left = [...mutants.survivors];
  const stale = listed.filter(({ mutant }) => {
    const at = left.indexOf(mutant);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const score = scoreOf(
    mutants,
    listed.filter((survivor) => !stale.includes(survivor)),
  );
  return {
    score,
    faults: [
      ...(score < LEAST ? [`${score.toFixed(1)}% are killed, ${LEAST}% is the least`] : []),
      ...left.map((mutant) => `survived, and is not listed: ${mutant}`),
      ...stale.map(({ mutant }) => `is listed and did not survive: ${mutant}`),
    ],
  };
}
