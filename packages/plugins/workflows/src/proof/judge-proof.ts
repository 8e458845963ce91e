import { type ProveInput, type RunContext, tryModel } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { WorkflowsState } from '../state.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { judgeSight } from './judge-sight.ts';
import { isAllowed, LEAVE_THEM, OldTestsJudged } from './old-tests.ts';
import { PROOF_JUDGE, proofJudgePrompt } from './prompts.ts';
import type { Ran, Ready } from './ran.ts';

const Judged = z.object({
  shows: z
    .enum(['this', 'something_else', 'unsure'])
    .describe('What its outcome shows: exactly this, or something else.'),
  why: z.string().min(1).max(1_000).describe('In a sentence or two; where it shows something else, what.'),
});
const JudgedWithOldTests = Judged.extend({ oldTests: OldTestsJudged });

/**
 * What was run, by somebody who did not write it: where that does not show exactly what is said, or nobody can tell,
 * nothing is shown. What shows nothing by itself is asked of nobody.
 */
export async function judgeProof(
  input: ProveInput,
  run: RunContext<WorkflowsState>,
  {
    ready: { place },
    round,
    ran,
  }: { readonly ready: Pick<Ready, 'place'>; readonly round: number; readonly ran: Ran },
): Promise<Ran> {
  if (ran.verdict !== 'shown' && ran.verdict !== 'refuted') return ran;
  const sight = await run.step(
    `sight ${round}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return judgeSight(place, input, { ran, signal });
    },
    { title: 'gathers what a judge of it sees' },
  );
  const asked = { system: PROOF_JUDGE, prompt: proofJudgePrompt(input, ran, sight) };
  const how = { category: 'reasoning', step: { title: 'judges what it shows' } } as const;
  const not = (why: string): Ran => ({ ...ran, verdict: 'not_shown', why: `${ran.why} ${why}` });
  const answer = ran.taken
    ? await tryModel(run, `judge ${round}`, { ...asked, ...how, schema: JudgedWithOldTests })
    : await tryModel(run, `judge ${round}`, { ...asked, ...how, schema: Judged });
  if ('failure' in answer) return not(`Nobody could judge what that shows: ${answer.failure.message}`);
  const { shows, why } = answer.value;
  if (shows !== 'this') return not(`Who did not write it says that this does not show it: ${why}`);
  if (ran.taken === undefined) return ran;
  const files = ran.taken.changed.join(', ');
  return isAllowed('oldTests' in answer.value ? answer.value.oldTests : undefined)
    ? { ...ran, why: `${ran.why} ${files} asked for the fault itself: ${why}` }
    : not(`${files} asked for what holds: ${LEAVE_THEM}`);
}
