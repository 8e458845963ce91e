import type { RunContext } from '@nexus/plugin-sdk';
import { checksAfter } from '../../dev-pipeline/checks.ts';
import type { WorkflowsState } from '../../state.ts';
import { openWorktree } from '../../worktree/worktree.ts';
import { runPartOnBase } from '../prove-change.ts';
import { asEnded, isRed, listed, notReached, type Ran, reachedIn, saying, type Way } from '../ran.ts';
import { takenFromTests } from '../taken-from-tests.ts';

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
  const taken = await run.step(
    `taken ${round}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return takenFromTests(place, signal);
    },
    { title: 'looks what became of the tests that were there' },
  );
  const passed = `${failed} Run with the mend: passed.`;
  // Those that stay as they are were green with all of it.
  if (taken.changed.length === 0) return said('shown', passed, first.output);
  const names = green.map(({ name }) => name);
  const old = await runPartOnBase(run, place, { step: `old tests ${round}`, names, part: 'others' });
  const broken = old.runs.filter(({ outcome }) => outcome !== 'passed');
  if (broken.length === 0 && taken.lines.length === 0) return said('shown', passed, first.output);
  const how =
    broken.length > 0
      ? `Run with the mend and the tests that were there, as they were: ${listed(broken)} did not pass.`
      : `Tests that were there ask for less, in ${taken.lines.length} lines: ${taken.lines.slice(0, MOST_LINES).join('; ')}`;
  return {
    ...said('shown', `${passed} ${how}`, broken[0]?.output ?? first.output),
    taken: { ...taken, isRed: broken.length > 0 },
  };
}

const MOST_LINES = 5;

/** Whether all that was changed is new, and what the test itself names. */
function isBeside(
  others: readonly string[],
  { alone: { tests }, diff }: Pick<Way, 'alone' | 'diff'>,
): boolean {
  const parts = diff.split(/^diff --git /m).slice(1);
  const partOf = (path: string) => parts.find((part) => part.includes(`+++ b/${path}\n`)) ?? '';
  const written = tests.map(partOf).join('\n');
  return others.every((path) => {
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]{1,20}$/, '');
    return partOf(path).includes('\nnew file mode ') && written.includes(stem);
  });
}
