import type { RunContext } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import type { WorkflowsState } from '../state.ts';
import { changesOf } from '../worktree/changes.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { checksAfter } from './checks.ts';
import type { DevInput } from './dev-input.ts';
import { type CheckReport, type DevOutput, Review } from './dev-output.ts';
import { work } from './implement.ts';
import type { DevPlan } from './plan.ts';
import { mendPrompt, REVIEWER, reviewPrompt } from './prompts.ts';

/**
 * Runs the checks and has the change reviewed; what is sent back is mended, as often as the input allows. The
 * reviewer is asked anew each time, and sees the diff and the checks alone.
 */
export async function assureQuality(
  input: DevInput,
  run: RunContext<WorkflowsState>,
  {
    place,
    before,
    plan,
  }: { readonly place: Place; readonly before: readonly CheckReport[]; readonly plan: DevPlan },
): Promise<Pick<DevOutput, 'qa' | 'checks'>> {
  const { qualityGate: gate, maxQaIterations, maxSteps, task } = input;
  if (gate === 'off') return { qa: { gate, rounds: 0 }, checks: [] };
  for (let round = 1; ; round += 1) {
    const checks = await checksAfter(run, place, { before, round });
    const review = await reviewed(run, place, { task, checks, round });
    const passed = review.passes && checks.every(({ after }) => after === 'passed');
    if (passed || round === maxQaIterations) return { qa: { gate, passed, rounds: round, review }, checks };
    const prompt = mendPrompt({ task, plan, checks, review });
    await work(run, place, { name: `mend ${round}`, title: titleOf(round), prompt, maxSteps });
  }
}

const titleOf = (round: number) =>
  round === 1 ? 'Mend what was sent back' : `Mend what was sent back, round ${round}`;

/** What a reviewer reads of it. */
const MAX_DIFF_CHARS = 100_000;

async function reviewed(
  run: RunContext<WorkflowsState>,
  place: Place,
  {
    task,
    checks,
    round,
  }: { readonly task: string; readonly checks: readonly CheckReport[]; readonly round: number },
): Promise<Review> {
  const changes = await run.step(
    `diff ${round}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return changesOf(place, { signal, maxDiffChars: MAX_DIFF_CHARS });
    },
    { title: 'reads the diff' },
  );
  const { value } = await ask(run, `review ${round}`, {
    schema: Review,
    system: REVIEWER,
    prompt: reviewPrompt({ task, diff: changes.diff, isCut: changes.isCut, checks }),
    title: 'reviews the diff',
  });
  return value;
}
