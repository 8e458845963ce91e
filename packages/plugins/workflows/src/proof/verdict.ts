import type { ProgramEnd } from '@nexus/plugin-sdk';
import { loadingFault } from './kind-of-red.ts';
import type { PartOnBase } from './prove-change.ts';

type Outcome = ProgramEnd['outcome'];

/** A command before a change and after it. */
export interface Around {
  readonly name: string;
  readonly before: Outcome;
  readonly after?: Outcome;
}

/** What was run shows of a change; plain JSON. */
export interface ChangeProof {
  /**
   * `proved`: a command is red without the change and green with it. `proves_nothing`: its tests are green without it
   * too. `not_shown`: neither could be seen.
   */
  readonly verdict: 'proved' | 'proves_nothing' | 'not_shown';
  /** In a sentence or two. */
  readonly why: string;
  /** The tests of the change, by path. */
  readonly tests: readonly string[];
}

/** @param checks as they came out before anything was changed, and with the whole change */
export function proofOf(
  {
    tests,
    others,
    runs,
  }: Pick<PartOnBase, 'tests' | 'others'> & {
    readonly runs: readonly { readonly name: string; readonly outcome: Outcome; readonly output?: string }[];
  },
  checks: readonly Around[],
): ChangeProof {
  const said = (verdict: ChangeProof['verdict'], why: string): ChangeProof => ({ verdict, why, tests });
  if (others.length === 0) {
    return said(
      'not_shown',
      'Nothing but tests was changed, so there is nothing that they could be red without.',
    );
  }
  const green = checks
    .filter(({ after }) => after === 'passed')
    .map(({ name, before }) => ({ name, before, base: runs.find((each) => each.name === name)?.outcome }));
  const named = (wanted: (each: (typeof green)[number]) => boolean) =>
    green
      .filter(wanted)
      .map(({ name }) => `\`${name}\``)
      .join(', ');
  const isUnreached = (name: string) => {
    const output = runs.find((each) => each.name === name)?.output ?? '';
    return loadingFault(output, { tests }) !== undefined;
  };
  const isByTests = ({ before, base }: (typeof green)[number]) => before === 'passed' && base === 'failed';
  const byTests = named((each) => isByTests(each) && !isUnreached(each.name));
  if (byTests !== '') {
    return said(
      'proved',
      `Run with the new tests and the old code: ${byTests} failed. Run with the change: passed.`,
    );
  }
  const unreached = named(isByTests);
  if (unreached !== '') {
    return said(
      'not_shown',
      `Run with the new tests and the old code: ${unreached} failed for want of what they load, which says nothing of what it does. Run with the change: passed.`,
    );
  }
  const mended = named(
    ({ before, base }) => before === 'failed' && base !== 'passed' && base !== 'timed_out',
  );
  if (mended !== '') {
    const alone =
      tests.length === 0
        ? ''
        : ' Since it failed before, the new tests alone are not shown to be red without it.';
    return said('proved', `Run before the change: ${mended} failed. Run with the change: passed.${alone}`);
  }
  if (tests.length === 0)
    return said('not_shown', 'The change has no test that could be run on the code as it was.');
  const idle = named(({ base }) => base === 'passed');
  if (idle !== '') {
    return said(
      'proves_nothing',
      `The new tests prove nothing: run with them and the old code, ${idle} passed too.`,
    );
  }
  return said('not_shown', 'No check came to an end on both sides of the change and passed with it.');
}
