import type { RunContext } from '@nexus/plugin-sdk';
import { checksAfter } from '../../dev-pipeline/checks.ts';
import type { WorkflowsState } from '../../state.ts';
import { assertsSomething } from '../asserts-something.ts';
import { runPartOnBase } from '../prove-change.ts';
import { asEnded, isRed, listed, notReached, type Ran, reachedIn, saying, type Way } from '../ran.ts';

const ASSERTS_NOTHING =
  'Its test asserts nothing in the lines that were added, so it would pass whatever the change does: assert what the requirement says.';
const BREAK_INSTEAD =
  'Leave beside the test the smallest edit of the code as it is now after which it does not hold any more.';

/** Whether its test is green as things are, and red once the code is broken or, of what was brought about, on the code as it was. */
export async function runHolds(run: RunContext<WorkflowsState>, way: Way): Promise<Ran> {
  const { input, diff } = way;
  const { tests, others, runs } = way.alone;
  const said = saying({ tests, others });
  const red = runs.filter(isRed);
  if (red.length > 0) {
    const { reached, fault } = reachedIn(red, way);
    const [first] = reached;
    return first
      ? said(
          'refuted',
          `Run as things are: with a test written for it, ${listed(reached)} failed.`,
          first.output,
        )
      : said('not_shown', notReached('With its test, as things are,', fault ?? ''), red[0]?.output);
  }
  if (runs.some(({ outcome }) => outcome !== 'passed'))
    return said('not_shown', 'With its test a check did not end.');
  if (others.length > 0) return redBroken(run, way);
  if (input.brought === undefined)
    return said(
      'not_shown',
      'Its test passes, and nothing shows that it could fail: the code was not broken.',
    );
  if (!assertsSomething(diff, tests)) return said('not_shown', ASSERTS_NOTHING);
  return redBefore(run, way, input.brought.since);
}

/** Whether a check is red once the code is broken: by the new test, or by those that were there. */
async function redBroken(run: RunContext<WorkflowsState>, way: Way): Promise<Ran> {
  const {
    ready: { place, green },
    round,
    alone: { tests, others },
  } = way;
  const said = saying({ tests, others });
  const red = asEnded(await checksAfter(run, place, { before: green, round })).filter(isRed);
  if (red.length === 0) {
    const why =
      tests.length === 0
        ? 'No test was written, and those that are there pass with the code broken too.'
        : 'Its test passes as things are, and with the code broken too, so it shows nothing.';
    return said('not_shown', why);
  }
  const { reached, fault } = reachedIn(red, way);
  if (reached.length === 0)
    return said('not_shown', notReached('With the code broken', fault ?? ''), red[0]?.output);
  const broke = 'Run as things are: passed. Run with the code broken there:';
  const byOld = (why: string): Ran => ({ ...said('shown', why, reached[0]?.output), byOld: true });
  if (tests.length === 0) return byOld(`${broke} ${listed(reached)} failed, by tests that were there.`);
  // A check that is red without the new test as well is so for an old one.
  const names = reached.map(({ name }) => name);
  const untested = await runPartOnBase(run, place, { step: `untested ${round}`, names, part: 'others' });
  const byTest = reached.filter((_, at) => untested.runs[at]?.outcome === 'passed');
  if (byTest.length === 0) {
    const old = reachedIn(untested.runs.filter(isRed), way).reached;
    // Which of them it fails by, and whether these are about this, is for whoever sees both and what was printed.
    return old.length > 0
      ? byOld(
          `${broke} ${listed(reached)} failed with its test, and ${listed(old)} failed without it too, by tests that were there.`,
        )
      : said('not_shown', 'With the code broken, and without its test, a check did not come to a result.');
  }
  return said(
    'shown',
    `Run as things are: its test passed. Run with the code broken there: ${listed(byTest)} failed, and passed without the test.`,
    byTest[0]?.output,
  );
}

/** Whether a test that is green with a change is red on the code as it was, which is green without it. */
async function redBefore(run: RunContext<WorkflowsState>, way: Way, since: string): Promise<Ran> {
  const {
    ready: { place, green },
    round,
    alone: { tests, others },
  } = way;
  const said = saying({ tests, others });
  const at = { at: since, withNothingElse: true };
  const names = green.map(({ name }) => name);
  const { runs } = await runPartOnBase(run, place, { step: `before ${round}`, names, ...at });
  const red = runs.filter(isRed);
  if (red.length === 0)
    return said(
      'not_shown',
      'Its test passes on the code as it was before the change too, so it shows nothing.',
    );
  const { reached, fault } = reachedIn(red, way);
  if (reached.length === 0)
    return said(
      'not_shown',
      `${notReached('On the code as it was', fault ?? '')} ${BREAK_INSTEAD}`,
      red[0]?.output,
    );
  const untested = await runPartOnBase(run, place, {
    step: `before untested ${round}`,
    names: reached.map(({ name }) => name),
    part: 'others',
    ...at,
  });
  const [first] = reached.filter((_, index) => untested.runs[index]?.outcome === 'passed');
  return first
    ? said(
        'shown',
        `Run with the change: its test passed. Run on the code as it was: \`${first.name}\` failed, and passed without the test.`,
        first.output,
      )
    : said(
        'not_shown',
        `On the code as it was, ${listed(reached)} did not pass without its test either, so nothing shows that its test could fail. ${BREAK_INSTEAD}`,
        reached[0]?.output,
      );
}
