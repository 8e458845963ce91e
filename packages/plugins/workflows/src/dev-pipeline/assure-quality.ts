import type { RunContext, VoteCondition, VoteConditionsOutput } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import { checkConditions, conditionsText, isBroken, isUnknown } from '../asking/check-conditions.ts';
import { isAllowed, type OldTests, runOldTests } from '../proof/old-tests.ts';
import { runPartOnBase } from '../proof/prove-change.ts';
import { type ChangeProof, proofOf } from '../proof/verdict.ts';
import type { WorkflowsState } from '../state.ts';
import { changesOf } from '../worktree/changes.ts';
import { firstLineOf } from '../worktree/commits.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { checksAfter } from './checks.ts';
import type { DevInput } from './dev-input.ts';
import {
  type CheckReport,
  type DevOutput,
  type OldTestsReport,
  Review,
  ReviewWithOldTests,
  type TaskReport,
} from './dev-output.ts';
import { work } from './implement.ts';
import { lookUpReview } from './look-up-work.ts';
import { shownFiles } from './named-files.ts';
import type { DevPlan } from './plan.ts';
import { mendPrompt, REVIEWER, reviewPrompt, type SentBack } from './prompts.ts';
import { type RanOfChange, workText } from './ran-of-change.ts';

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
    isHeldToAll,
    isShownBack,
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
    /** Whether it is held to the tests that were there, and to conditions that nobody can tell. */
    readonly isHeldToAll: boolean;
    /** Whether what is sent back goes with its diff and its files, and tests that prove nothing before anything else is asked of it. */
    readonly isShownBack: boolean;
  },
): Promise<Quality> {
  const { qualityGate: gate, maxQaIterations, maxSteps, task } = input;
  if (gate === 'off') return { qa: { gate, rounds: 0 }, checks: [] };
  let wasToldOfProof = false;
  let wasToldOfUnknown = false;
  let by = tasks;
  for (let round = 1; ; round += 1) {
    const names = before.map(({ name }) => name);
    const onBase = await runPartOnBase(run, place, { step: `base ${round}`, names });
    const checks = await checksAfter(run, place, { before, round });
    const proof = onBase && proofOf(onBase, checks);
    const isGreen = checks.every(({ after }) => after === 'passed');
    const isShownIdle = proof?.verdict === 'proves_nothing';
    const isLast = round === maxQaIterations;
    const mend = async (sent: Omit<SentBack, 'task' | 'plan' | 'checks' | 'diff' | 'files'>) => {
      const seen = isShownBack ? await seenAgain(run, place, round) : { diff: '', files: [] };
      const prompt = mendPrompt({ task, plan, checks, ...seen, ...sent });
      const title = titleOf(round);
      const note = `${title}.`;
      const commitAs = { title: firstLineOf(task), note };
      return [await work(run, place, { name: `mend ${round}`, title, prompt, maxSteps, commitAs })];
    };
    if (isShownBack && isShownIdle && !wasToldOfProof && !isLast) {
      // Whatever a reviewer would say of it, it goes back.
      await judgeWork(run, { key: `${run.id}/round ${round}`, by, isGood: false, source: proof.why });
      wasToldOfProof = true;
      by = await mend({ proof, conditions: [] });
      continue;
    }
    const old =
      isHeldToAll && isGreen ? await runOldTests(run, place, { round, names: greenIn(before) }) : undefined;
    const said = await reviewed(run, place, { task, checks, round, proof, old });
    const review = isLookedUp ? await lookUpReview(run, place, { review: said.review, round }) : said.review;
    const ran = isHeldToAll ? { checks, onBase, proof, old } : { checks };
    const held = conditions.length > 0 && (await heldTo(conditions, run, { place, input, ran, round }));
    const oldTests = old && oldTestsReport(old, isAllowed(said.oldTests));
    const passed = review.passes && isGreen && oldTests?.isAllowed !== false;
    const isUntold = isHeldToAll && gate === 'blocking' && held && isUnknown(held.conditions);
    const isWhole = passed && !(held && isBroken(held.conditions));
    const shown = proof?.verdict === 'proved' || isShownIdle ? proof.why : review.summary;
    const source = held && passed && !isWhole ? conditionsText(held.conditions) : shown;
    await judgeWork(run, { key: `${run.id}/round ${round}`, by, isGood: isWhole && !isShownIdle, source });
    // Once each: who was told and still has no test that shows it has none, nor has what would tell a condition.
    const sendsProofBack: boolean = isShownIdle && !wasToldOfProof;
    const sendsUnknownBack: boolean = isUntold === true && !wasToldOfUnknown;
    if (isLast || (isWhole && !sendsProofBack && !sendsUnknownBack)) {
      return {
        qa: { gate, passed, rounds: round, review, ...(proof && { proof }), ...(oldTests && { oldTests }) },
        checks,
        ...(held && { held }),
      };
    }
    wasToldOfProof ||= sendsProofBack;
    wasToldOfUnknown ||= sendsUnknownBack;
    by = await mend({
      review,
      ...(sendsProofBack && { proof }),
      ...(oldTests?.isAllowed === false && { oldTests }),
      conditions: held ? held.conditions : [],
    });
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
    ran,
    round,
  }: {
    readonly place: Place;
    readonly input: DevInput;
    readonly ran: RanOfChange;
    readonly round: number;
  },
): Promise<VoteConditionsOutput> {
  const { diff } = await readChanges(run, place, { step: `changes ${round}`, maxDiffChars: MAX_DIFF_CHARS });
  return checkConditions(run, {
    ...{ step: `conditions ${round}`, proposal: task, conditions },
    work: workText(diff, ran),
    isBinding: qualityGate === 'blocking',
  });
}

/** Those that passed before anything was changed. */
const greenIn = (checks: readonly CheckReport[]) =>
  checks.flatMap(({ name, before }) => (before === 'passed' ? [name] : []));

const oldTestsReport = ({ output: _, ...old }: OldTests, allowed: boolean): OldTestsReport => ({
  ...old,
  isAllowed: allowed,
});

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

/** Of the change, where its developer is shown it again: what its files do not show is cut. */
const MAX_BACK_CHARS = 20_000;

/** What whoever mends a change begins with: all of it so far, and its files as they stand, as far as a prompt holds them. */
async function seenAgain(
  run: RunContext<WorkflowsState>,
  place: Place,
  round: number,
): Promise<Pick<SentBack, 'diff' | 'files'>> {
  const { diff, files } = await readChanges(run, place, {
    ...{ step: `sent back ${round}`, maxDiffChars: MAX_BACK_CHARS },
  });
  const paths = files.map(({ path }) => path);
  return { diff, files: await shownFiles(paths, run, { place, step: `files of mend ${round}` }) };
}

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
    old,
  }: {
    readonly task: string;
    readonly checks: readonly CheckReport[];
    readonly round: number;
    readonly proof: ChangeProof | undefined;
    readonly old: OldTests | undefined;
  },
): Promise<{ readonly review: Review; readonly oldTests?: unknown }> {
  const changes = await readChanges(run, place, {
    ...{ step: `diff ${round}`, maxDiffChars: MAX_DIFF_CHARS, aroundLines: AROUND_LINES },
  });
  const asked = {
    system: REVIEWER,
    prompt: reviewPrompt({ task, diff: changes.diff, isCut: changes.isCut, checks, proof, old }),
    title: 'reviews the diff',
  };
  const name = `review ${round}`;
  if (old === undefined) return { review: (await ask(run, name, { ...asked, schema: Review })).value };
  const { oldTests, ...review } = (await ask(run, name, { ...asked, schema: ReviewWithOldTests })).value;
  return { review, oldTests };
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
