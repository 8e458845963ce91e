import type { RunContext } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import { runPartOnBase } from '../proof/prove-change.ts';
import { type ChangeProof, proofOf } from '../proof/verdict.ts';
import type { WorkflowsState } from '../state.ts';
import { changesOf } from '../worktree/changes.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { checksAfter } from './checks.ts';
import type { DevInput } from './dev-input.ts';
import { type CheckReport, type DevOutput, Review, type TaskReport } from './dev-output.ts';
import { work } from './implement.ts';
import { lookUpReview } from './look-up-work.ts';
import type { DevPlan } from './plan.ts';
import { mendPrompt, REVIEWER, reviewPrompt } from './prompts.ts';

/**
 * Runs the checks, its tests on the code as it was too, and has the change reviewed; what is sent back is mended, as
 * often as the input allows. The reviewer is asked anew each time, and sees the diff and the checks alone.
 */
export async function assureQuality(
  input: DevInput,
  run: RunContext<WorkflowsState>,
  {
    place,
    before,
    plan,
    tasks,
    isLookedUp,
  }: {
    readonly place: Place;
    readonly before: readonly CheckReport[];
    readonly plan: DevPlan;
    /** As they were done. */
    readonly tasks: readonly TaskReport[];
    /** Whether what the review names is looked up. */
    readonly isLookedUp: boolean;
  },
): Promise<Pick<DevOutput, 'qa' | 'checks'>> {
  const { qualityGate: gate, maxQaIterations, maxSteps, task } = input;
  if (gate === 'off') return { qa: { gate, rounds: 0 }, checks: [] };
  let wasToldOfProof = false;
  let by = tasks;
  for (let round = 1; ; round += 1) {
    const names = before.map(({ name }) => name);
    const onBase = await runPartOnBase(run, place, { step: `base ${round}`, names });
    const checks = await checksAfter(run, place, { before, round });
    const proof = onBase && proofOf(onBase, checks);
    const said = await reviewed(run, place, { task, checks, round, proof });
    const review = isLookedUp ? await lookUpReview(run, place, { review: said, round }) : said;
    const passed = review.passes && checks.every(({ after }) => after === 'passed');
    const isShownIdle = proof?.verdict === 'proves_nothing';
    const source = proof?.verdict === 'proved' || isShownIdle ? proof.why : review.summary;
    await judgeWork(run, { key: `${run.id}/round ${round}`, by, isGood: passed && !isShownIdle, source });
    const isLast = round === maxQaIterations;
    // Once: who was told and still has no test that shows it has none.
    const sendsProofBack: boolean = isShownIdle && !wasToldOfProof;
    if (isLast || (passed && !sendsProofBack)) {
      return { qa: { gate, passed, rounds: round, review, ...(proof && { proof }) }, checks };
    }
    wasToldOfProof ||= sendsProofBack;
    const prompt = mendPrompt({ task, plan, checks, review, proof: sendsProofBack ? proof : undefined });
    by = [await work(run, place, { name: `mend ${round}`, title: titleOf(round), prompt, maxSteps })];
  }
}

/** How a round came out is on the record of the models that did its work. */
async function judgeWork(
  { host }: RunContext,
  {
    key,
    by,
    isGood,
    source,
  }: {
    readonly key: string;
    readonly by: readonly TaskReport[];
    readonly isGood: boolean;
    readonly source: string;
  },
): Promise<void> {
  const models = new Set(by.flatMap(({ model }) => model ?? []));
  for (const model of models) {
    await host.models.judge({ key, isGood, source, by: { model, category: 'code' } });
  }
}

const titleOf = (round: number) =>
  round === 1 ? 'Mend what was sent back' : `Mend what was sent back, round ${round}`;

/** What a reviewer reads of it. */
const MAX_DIFF_CHARS = 100_000;
/** On each side of what is changed: it opens no file. */
const AROUND_LINES = 40;

async function reviewed(
  run: RunContext<WorkflowsState>,
  place: Place,
  {
    task,
    checks,
    round,
    proof,
  }: {
    readonly task: string;
    readonly checks: readonly CheckReport[];
    readonly round: number;
    readonly proof: ChangeProof | undefined;
  },
): Promise<Review> {
  const changes = await run.step(
    `diff ${round}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return changesOf(place, { signal, maxDiffChars: MAX_DIFF_CHARS, aroundLines: AROUND_LINES });
    },
    { title: 'reads the diff' },
  );
  const { value } = await ask(run, `review ${round}`, {
    schema: Review,
    system: REVIEWER,
    prompt: reviewPrompt({ task, diff: changes.diff, isCut: changes.isCut, checks, proof }),
    title: 'reviews the diff',
  });
  return value;
}
