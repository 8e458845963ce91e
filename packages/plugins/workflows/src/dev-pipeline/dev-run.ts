import { defineRun, type RunContext } from '@nexus/plugin-sdk';
import { checkConditions, isBroken, isUnknown } from '../asking/check-conditions.ts';
import type { WorkflowsState } from '../state.ts';
import { changesOf } from '../worktree/changes.ts';
import { type Place, placeOf } from '../worktree/place.ts';
import { leaveWorktree, nameDone, openWorktree } from '../worktree/worktree.ts';
import { type Agreement, agreePlan } from './agree-plan.ts';
import { assureQuality } from './assure-quality.ts';
import { checksBefore } from './checks.ts';
import type { DevInput } from './dev-input.ts';
import type { CheckReport, DevOutput } from './dev-output.ts';
import { implement } from './implement.ts';
import { leaveAtEnd } from './leave-at-end.ts';
import { lookUpPlan, lookUpWork } from './look-up-work.ts';
import { makeReady } from './make-ready.ts';
import { filesOfTask, type ShownFile } from './named-files.ts';
import { researchPrompt } from './prompts.ts';
import { workText } from './ran-of-change.ts';
import { treeTurnRun } from './turn-run.ts';

/** Research, plan, vote, work, prove, judge: on a branch in a worktree of its own, and nowhere else. */
export const devPipelineRun = inVersion(7);

/**
 * As runs on record go on that were begun before each round was held to the conditions of the vote and the project said
 * which names are files, before effort was fitted, before what a review names was looked up, before a change was held to
 * the tests that were there, and before what is sent back went with its diff and its files.
 */
export const devPipelineRunsBefore = [inVersion(6), inVersion(5), inVersion(4), inVersion(3), inVersion(2)];

function inVersion(version: 2 | 3 | 4 | 5 | 6 | 7) {
  return defineRun({
    name: 'workflows.dev-pipeline',
    version,
    place: 'machine',
    async run(input: DevInput, run: RunContext<WorkflowsState>): Promise<DevOutput> {
      const place = placeOf({
        id: await run.uuid('id'),
        title: input.planFile ?? input.task,
        dataDir: run.host.dataDir,
        repository: input.repository,
      });
      leaveAtEnd(place, run);
      await makeReady(input.setup, run, place);
      const before = input.qualityGate === 'off' ? [] : await checksBefore(run, place, input.checks);
      const fits = version > 3;
      const isOwnPlan = input.planFile !== undefined;
      const files =
        fits && !isOwnPlan ? await filesOfTask(input.task, run, { place, looks: version > 4 }) : [];
      const research = files.length > 0 ? undefined : await researched(input, run, { place, before });
      const agreement = await agreePlan(input, run, {
        research,
        files,
        checks: before,
        fits: fits && !isOwnPlan,
      });
      if (agreement.vote.decision !== 'approved') return stopped(input, run, { place, before, agreement });
      const tasks = await implement(input, run, {
        place,
        plan: agreement.plan,
        missing: version > 6 ? agreement.vote.ground.missing : [],
        showsFiles: fits,
      });
      const { held, ...quality } = await assureQuality(input, run, {
        place,
        before,
        plan: agreement.plan,
        tasks,
        conditions: version > 4 ? (agreement.vote.conditions ?? []) : [],
        isLookedUp: version > 2,
        isHeldToAll: version > 5,
        isShownBack: version > 6,
      });
      const changes = await run.step('changes', ({ signal }) => changedOn(place, run, signal), {
        title: 'reads what was changed',
      });
      const { conditions, summary } =
        held ??
        (await checkConditions(run, {
          proposal: input.task,
          conditions: agreement.vote.conditions,
          work: workText(changes.diff, { checks: quality.checks }),
          isBinding: input.qualityGate === 'blocking',
        }));
      const told = await lookUpWork(run, place, tasks);
      const plan = fits ? await lookUpPlan(run, place, agreement.plan) : agreement.plan;
      const isHeld = !isBroken(conditions) && !(version > 5 && isUnknown(conditions));
      const isBlocked = input.qualityGate === 'blocking' && !(quality.qa.passed === true && isHeld);
      const status = changes.files.length === 0 ? 'unchanged' : isBlocked ? 'blocked' : 'done';
      await run.step(
        'leave',
        async ({ signal }) => {
          await leaveWorktree(place, { runId: run.id, signal });
          if (status === 'done') await nameDone(place, signal);
        },
        { title: 'leaves the worktree' },
      );
      const branch = status === 'done' ? place.doneBranch : place.branch;
      return {
        status,
        ...agreed({
          ...agreement,
          plan,
          vote: { ...agreement.vote, conditions, ...(summary !== undefined && { summary }) },
        }),
        ...(fits && { effort: effortText(input, { files, agreement }) }),
        tasks: told,
        ...quality,
        changes: { base: place.base, ...(status === 'unchanged' ? {} : { branch }), ...changes },
      };
    },
  });
}

/** How much was done for it, and why. */
function effortText(
  { research, planFile }: DevInput,
  {
    files,
    agreement: { joined, isOneVoters },
  }: { readonly files: readonly ShownFile[]; readonly agreement: Agreement },
): string {
  const known = research !== undefined || planFile !== undefined;
  return [
    ...(files.length > 0
      ? ['Planned without research, since the task is short and names the files that it is about.']
      : known
        ? []
        : ['Researched, planned, voted on, done and reviewed.']),
    ...(joined > 1
      ? [`${joined} tasks of the plan were done in one conversation, since they are short and on few files.`]
      : []),
    ...(isOneVoters
      ? ['The plan was looked at by one voter, who approved it; any other word would have put it to a panel.']
      : []),
  ].join(' ');
}

async function researched(
  { task, research, planFile, maxSteps }: DevInput,
  run: RunContext<WorkflowsState>,
  { place, before }: { readonly place: Place; readonly before: readonly CheckReport[] },
): Promise<string | undefined> {
  if (research !== undefined) return research;
  if (planFile !== undefined) return undefined; // whoever wrote the plan has done it
  const title = 'Find out what the change needs';
  const turn = {
    role: 'researcher' as const,
    place,
    holder: run.id,
    title,
    prompt: researchPrompt(task, before),
    maxSteps,
  };
  return (await run.child('research', treeTurnRun, turn, { title })).output;
}

/** What the answer holds of it; the branch has all. */
const MAX_DIFF_CHARS = 30_000;

async function changedOn(place: Place, run: RunContext, signal: AbortSignal) {
  await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
  return changesOf(place, { signal, maxDiffChars: MAX_DIFF_CHARS });
}

/** The plan was not agreed on: nothing was done, and nothing is left. */
async function stopped(
  input: DevInput,
  run: RunContext,
  at: { readonly place: Place; readonly before: CheckReport[]; readonly agreement: Agreement },
): Promise<DevOutput> {
  const { place, before, agreement } = at;
  await run.step('leave', ({ signal }) => leaveWorktree(place, { runId: run.id, signal }), {
    title: 'leaves the worktree',
  });
  const { decision } = agreement.vote;
  return {
    status: decision === 'no_quorum' ? 'no_quorum' : 'rejected',
    ...agreed(agreement),
    tasks: agreement.plan.tasks.map(({ title }) => ({ title, status: 'not_begun', output: '' })),
    qa: { gate: input.qualityGate, rounds: 0 },
    checks: before,
    changes: { base: place.base, diff: '', isCut: false, files: [] },
  };
}

function agreed({ plan, vote, rounds }: Agreement): Pick<DevOutput, 'plan' | 'vote'> {
  const { decision, approval, why, summary, votes, dissent, conditions = [] } = vote;
  return {
    plan,
    vote: { decision, approval, why, summary, rounds, votes, dissent, conditions },
  };
}
