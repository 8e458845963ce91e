import type { RunContext } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { z } from 'zod';
import type { WorkflowsState } from '../state.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { runPartOnBase } from './prove-change.ts';
import { listed } from './ran.ts';
import { type TakenFromTests, takenFromTests } from './taken-from-tests.ts';

/** What a change takes back of what tests that were there ask for; plain JSON. */
export interface OldTests extends TakenFromTests {
  /** Whether they are red with the change, as they were. */
  readonly isRed: boolean;
  /** In a sentence. */
  readonly why: string;
  /** What was printed in red. */
  readonly output: string;
}

/** By somebody who did not make the change. */
export const OldTestsJudged = z
  .enum(['asked_for_the_fault', 'ask_for_what_holds', 'unsure'])
  .describe('What the tests that were changed or taken away asked for, as they were.');

/** The one word by which a change may take it back. */
export const isAllowed = (said: unknown): boolean => said === OldTestsJudged.enum.asked_for_the_fault;

/** To whoever made it otherwise. */
export const LEAVE_THEM = 'leave tests that were there as they are, and write yours beside them.';

const MOST_LINES = 5;

/**
 * Looks what became of the tests that were there, and runs them with the change as they were. Nothing where the change
 * leaves them as they are, or adds to them, and they are green with it.
 * @param names of the checks that passed before anything was changed
 */
export async function runOldTests(
  run: RunContext<WorkflowsState>,
  place: Place,
  { round, names }: { readonly round: number; readonly names: readonly string[] },
): Promise<OldTests | undefined> {
  const taken = await run.step(
    `taken ${round}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return takenFromTests(place, signal);
    },
    { title: 'looks what became of the tests that were there' },
  );
  if (taken.changed.length === 0) return undefined;
  const old = await runPartOnBase(run, place, { step: `old tests ${round}`, names, part: 'others' });
  const broken = old.runs.filter(({ outcome }) => outcome !== 'passed');
  const [first] = broken;
  if (first === undefined && taken.lines.length === 0) return undefined;
  const why =
    first === undefined
      ? `Tests that were there ask for less, in ${counted(taken.lines.length, 'line')}: ${taken.lines.slice(0, MOST_LINES).join('; ')}`
      : `Run with the change and the tests that were there, as they were: ${listed(broken)} did not pass.`;
  return { ...taken, isRed: first !== undefined, why, output: first?.output ?? '' };
}
