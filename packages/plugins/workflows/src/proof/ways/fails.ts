import type { RunContext } from '@nexus/plugin-sdk';
import type { WorkflowsState } from '../../state.ts';
import { runPartOnBase } from '../prove-change.ts';
import { type Ended, isRed, listed, notReached, type Ran, reachedIn, saying, type Way } from '../ran.ts';

/** Whether its test is red as things are and, of a change, green without it. */
export async function runFails(run: RunContext<WorkflowsState>, way: Way): Promise<Ran> {
  const { tests } = way.alone;
  const said = saying({ tests, others: [] });
  const red = way.alone.runs.filter(isRed);
  if (red.length === 0)
    return { ...said('not_shown', 'Its test passes as things are, so it shows no fault.'), isOther: true };
  const { reached, fault } = reachedIn(red, way);
  const [first] = reached;
  if (!first)
    return said('not_shown', notReached('With its test, as things are,', fault ?? ''), red[0]?.output);
  const failed = `Run as things are, with its test: ${listed(reached)} failed.`;
  const { without } = way.ready;
  if (without === undefined) return said('shown', failed, first.output);
  const names = reached.map(({ name }) => name);
  const on = { step: `without ${way.round}`, names, withNothingElse: true, at: without };
  const [verdict, why] = byChange((await runPartOnBase(run, way.ready.place, on)).runs, way);
  return said(verdict, `${failed} ${why}`, first.output);
}

/** What the same tests come to without the change. */
function byChange(earlier: readonly Ended[], way: Way): [verdict: Ran['verdict'], why: string] {
  if (earlier.some(({ outcome }) => outcome === 'passed'))
    return ['shown', 'Run without the change: passed.'];
  const red = earlier.filter(isRed);
  if (red.length === 0) return ['not_shown', 'Run without the change: it did not end.'];
  if (reachedIn(red, way).fault !== undefined)
    return ['shown', 'Run without the change: what it loads is not there yet.'];
  return [
    'not_shown',
    'Run without the change: it did not pass either, so this is not shown to come with the change.',
  ];
}
