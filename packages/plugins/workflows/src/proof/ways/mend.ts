import type { RunContext } from '@nexus/plugin-sdk';
import { checksAfter } from '../../dev-pipeline/checks.ts';
import type { WorkflowsState } from '../../state.ts';
import { runOldTests } from '../old-tests.ts';
import { partsOfDiff } from '../parts-of-diff.ts';
import { asEnded, isRed, listed, notReached, type Ran, reachedIn, saying, type Way } from '../ran.ts';

/** Whether its test is red as things are and green with the mend, and the tests that were there are so too, as they were. */
export async function runMend(run: RunContext<WorkflowsState>, way: Way): Promise<Ran> {
  const {
    ready: { place, green },
    round,
    alone: { tests, others, runs },
  } = way;
  const said = saying({ tests, others });
  const red = runs.filter(isRed);
  if (red.length === 0) return said('not_shown', 'Its test passes as things are, so it shows no fault.');
  const { reached, fault } = reachedIn(red, way);
  const [first] = reached;
  if (!first)
    return said('not_shown', notReached('With its test, as things are,', fault ?? ''), red[0]?.output);
  const failed = `Run as things are, with its test: ${listed(reached)} failed.`;
  if (others.length === 0) return said('not_shown', `${failed} Nothing but tests was changed to mend it.`);
  if (isBeside(others, way))
    return said(
      'not_shown',
      `${failed} The mend changes nothing of the code that was there: it adds ${others.join(', ')}, which its test alone reaches.`,
    );
  const after = asEnded(await checksAfter(run, place, { before: green, round }));
  const notGreen = after.filter(({ outcome }) => outcome !== 'passed');
  if (notGreen.length > 0)
    return said('not_shown', `${failed} With the mend it did not pass.`, notGreen[0]?.output);
  const passed = `${failed} Run with the mend: passed.`;
  const names = green.map(({ name }) => name);
  const taken = await runOldTests(run, place, { round, names });
  if (taken === undefined) return said('shown', passed, first.output);
  return { ...said('shown', `${passed} ${taken.why}`, taken.output || first.output), taken };
}

/** Whether all that was changed is new, and what the test itself names. */
function isBeside(
  others: readonly string[],
  { alone: { tests }, diff }: Pick<Way, 'alone' | 'diff'>,
): boolean {
  const partOf = (path: string) => partsOfDiff(diff, [path]);
  const written = partsOfDiff(diff, tests);
  return others.every((path) => {
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]{1,20}$/, '');
    return partOf(path).includes('\nnew file mode ') && written.includes(stem);
  });
}
