import type { OldTests } from '../proof/old-tests.ts';
import type { PartOnBase } from '../proof/prove-change.ts';
import type { ChangeProof } from '../proof/verdict.ts';
import type { CheckReport } from './dev-output.ts';

/** All that was run of a change. */
export interface RanOfChange {
  readonly checks: readonly CheckReport[];
  /** Its tests on the code as it was. */
  readonly onBase?: Pick<PartOnBase, 'tests' | 'runs'>;
  readonly proof?: ChangeProof | undefined;
  /** The tests that were there, as they were, where these speak against it. */
  readonly old?: OldTests | undefined;
}

/** What was done and what was run of it, as whoever looks at conditions reads it. */
export function workText(diff: string, { checks, onBase, proof, old }: RanOfChange): string {
  const ends = checks.map(
    ({ name, before, after, output }) => `${name}: ${before} before, ${after ?? 'not run'} after\n${output}`,
  );
  const before = (onBase?.runs ?? []).map(
    ({ name, outcome, output }) =>
      `${name}, run with the tests of the change (${onBase?.tests.join(', ')}) and the old code: ${outcome}\n${output}`,
  );
  return [diff, ...ends, ...before, ...(proof ? [proof.why] : []), ...(old ? [old.why] : [])].join('\n\n');
}
