import type { RunContext, VoteCondition, VoteConditionsOutput } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import { checkConditions, conditionsText, isBroken } from '../asking/check-conditions.ts';
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
 * Runs the checks, its tests on the code as it was too, has the change reviewed and held to the conditions of the vote;
 * what is sent back is mended, as often as the input allows. The reviewer is asked anew each time, and sees the diff and
 * the checks alone.
 */
export async function assureQuality(
  input: DevInput,
  run: RunContext<WorkflowsState>,
  {
    place,
    before,
    plan,
    tasks,
    conditions,
    isLookedUp,
  }: {
    readonly place: Place;
    readonly before: readonly CheckReport[];
    readonly plan: DevPlan;
    /** As they were done. */
    readonly tasks: readonly TaskReport[];
    /** Of the vote on the plan; each round is held to them. */
    readonly conditions: readonly VoteCondition[];
    /** Whether what the review names is looked up. */
    readonly isLookedUp: boolean;
  },
): Promise<Quality> {
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
    const held = conditions.length > 0 && (await heldTo(conditions, run, { place, input, checks, round }));
    const passed = review.passes && checks.every(({ after }) => after === 'passed');
    const isWhole = passed && !(held && isBroken(held.conditions));
    const isShownIdle = proof?.verdict === 'proves_nothing';
    const shown = proof?.verdict === 'proved' || isShownIdle ? proof.why : review.summary;
    const source = held && passed && !isWhole ? conditionsText(held.conditions) : shown;
    await judgeWork(run, { key: `${run.id}/round ${round}`, by, isGood: isWhole && !isShownIdle, source });
    const isLast = round === maxQaIterations;
    // Once: who was told and still has no test that shows it has none.
    const sendsProofBack: boolean = isShownIdle && !wasToldOfProof;
    if (isLast || (isWhole && !sendsProofBack)) {
      return {
        qa: { gate, passed, rounds: round, review, ...(proof && { proof }) },
        checks,
        ...(held && { held }),
      };
    }
    wasToldOfProof ||= sendsProofBack;
    const prompt = mendPrompt({
      ...{ task, plan, checks, review },
      proof: sendsProofBack ? proof : undefined,
      conditions: held ? held.conditions : [],
    });
    by = [await work(run, place, { name: `mend ${round}`, title: titleOf(round), prompt, maxSteps })];
  }
}

interface Quality extends Pick<DevOutput, 'qa' | 'checks'> {
  /** The conditions as the last round was held to them; absent where none was. */
  readonly held?: VoteConditionsOutput;
}

/** The conditions of the vote, checked against what there is of the change by now. */
async function heldTo(
  conditions: readonly VoteCondition[],
  run: RunContext<WorkflowsState>,
  {
    place,
    input: { task, qualityGate },
    checks,
    round,
  }: {
    readonly place: Place;
    readonly input: DevInput;
    readonly checks: readonly CheckReport[];
    readonly round: number;
  },
): Promise<VoteConditionsOutput> {
  const { diff } = await readChanges(run, place, { step: `changes ${round}`, maxDiffChars: MAX_DIFF_CHARS });
  return checkConditions(run, {
    ...{ step: `conditions ${round}`, proposal: task, conditions },
    work: workText(diff, checks),
    isBinding: qualityGate === 'blocking',
  });
}

/** What was done, as whoever looks at conditions reads it. */
export function workText(diff: string, checks: readonly CheckReport[]): string {
  const ends = checks.map(
    ({ name, before, after, output }) => `${name}: ${before} before, ${after ?? 'not run'} after\n${output}`,
  );
  return [diff, ...ends].join('\n\n');
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
  const changes = await readChanges(run, place, {
    ...{ step: `diff ${round}`, maxDiffChars: MAX_DIFF_CHARS, aroundLines: AROUND_LINES },
  });
  const { value } = await ask(run, `review ${round}`, {
    schema: Review,
    system: REVIEWER,
    prompt: reviewPrompt({ task, diff: changes.diff, isCut: changes.isCut, checks, proof }),
    title: 'reviews the diff',
  });
  return value;
}

function readChanges(
  run: RunContext<WorkflowsState>,
  place: Place,
  { step, ...how }: { readonly step: string; readonly maxDiffChars: number; readonly aroundLines?: number },
) {
  return run.step(
    step,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return changesOf(place, { signal, ...how });
    },
    { title: 'reads the diff' },
  );
}
