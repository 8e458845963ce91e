import { basisOf, lookUp, type RunContext } from '@nexus/plugin-sdk';
import { markClaimsToHaveRun } from '@nexus/plugin-sdk/evidence';
import type { Place } from '../worktree/place.ts';
import { RUN_COMMAND } from '../worktree/tools/run-command.ts';
import { treeGround } from '../worktree/tree-ground.ts';
import { openWorktree } from '../worktree/worktree.ts';
import type { Review, TaskReport } from './dev-output.ts';
import type { DevPlan } from './plan.ts';
import { ranText } from './ran-in-work.ts';

/**
 * What those who did the tasks say of them, with `(not found)` after what neither the change nor the base has, and
 * `(nothing was run)` after what they say to have run where they ran nothing.
 */
export function lookUpWork(
  run: RunContext,
  place: Place,
  tasks: readonly TaskReport[],
): Promise<TaskReport[]> {
  return run.step(
    'names',
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      const ground = treeGround(place, signal);
      const looked: TaskReport[] = [];
      // Who did a later one was told of it.
      const ran = tasks.flatMap((task) => (task.ran?.length ? [ranText(task.ran)] : [])).join('\n');
      for (const task of tasks) {
        const named = await lookUp(task.output, ground);
        // Of a task that was done before this was kept, nobody knows.
        const called = task.ran?.length === 0 ? [] : [{ name: RUN_COMMAND }];
        const output = markClaimsToHaveRun(named.marked, called, ran);
        looked.push({ ...task, output, missing: [...named.missing], basis: basisOf(named) });
      }
      return looked;
    },
    { title: 'looks up what was said of it' },
  );
}

/** What a plan that was carried out says, with `(not found)` after what neither the change nor the base has. */
export function lookUpPlan(run: RunContext, place: Place, plan: DevPlan): Promise<DevPlan> {
  return run.step(
    'plan names',
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      const ground = treeGround(place, signal);
      const mark = async (text: string) => (await lookUp(text, ground)).marked;
      const tasks: DevPlan['tasks'] = [];
      for (const task of plan.tasks) tasks.push({ ...task, description: await mark(task.description) });
      const risks: string[] = [];
      for (const risk of plan.risks) risks.push(await mark(risk));
      const [summary, verification] = [await mark(plan.summary), await mark(plan.verification)];
      return { ...plan, summary, verification, tasks, risks };
    },
    { title: 'looks up what the plan names' },
  );
}

/** A review, with `(not found)` after what it names and neither the change nor the base has. */
export function lookUpReview(
  run: RunContext,
  place: Place,
  { review, round }: { readonly review: Review; readonly round: number },
): Promise<Review> {
  return run.step(
    `review names ${round}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      const ground = treeGround(place, signal);
      const { marked: summary } = await lookUp(review.summary, ground);
      const findings: Review['findings'] = [];
      for (const finding of review.findings) {
        const at = `${finding.file}:${finding.line ?? 1}`;
        const { missing } = await lookUp(at, ground);
        const { marked } = await lookUp(finding.claim, ground);
        findings.push({ ...finding, claim: missing.length === 0 ? marked : `${marked} (${at}: not found)` });
      }
      return { ...review, summary, findings };
    },
    { title: 'looks up what the review names' },
  );
}
