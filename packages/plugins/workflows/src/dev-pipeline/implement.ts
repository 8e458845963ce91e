import type { RunContext } from '@nexus/plugin-sdk';
import type { WorkflowsState } from '../state.ts';
import { commitWork } from '../worktree/commits.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import type { DevInput } from './dev-input.ts';
import type { TaskReport } from './dev-output.ts';
import { shownFiles } from './named-files.ts';
import type { DevPlan } from './plan.ts';
import { taskPrompt } from './prompts.ts';
import { treeTurnRun } from './turn-run.ts';

/** The tasks of the plan one after the other, each a conversation and a commit. */
export async function implement(
  { maxSteps }: DevInput,
  run: RunContext<WorkflowsState>,
  {
    place,
    plan,
    missing,
    showsFiles,
  }: {
    readonly place: Place;
    readonly plan: DevPlan;
    /** What the plan names and is not there. */
    readonly missing: readonly string[];
    readonly showsFiles: boolean;
  },
): Promise<TaskReport[]> {
  const reports: TaskReport[] = [];
  for (const [index, { title, files }] of plan.tasks.entries()) {
    run.progress(title, index, plan.tasks.length);
    const name = `task ${index + 1}`;
    const shown = showsFiles ? await shownFiles(files, run, { place, step: `files of ${name}` }) : [];
    const prompt = taskPrompt(plan, index, { shown, missing });
    reports.push(await work(run, place, { name, title, prompt, maxSteps }));
  }
  return reports;
}

/** One conversation that changes the worktree, and the commit that it comes to. */
export async function work(
  run: RunContext<WorkflowsState>,
  place: Place,
  task: {
    readonly name: string;
    readonly title: string;
    readonly prompt: string;
    readonly maxSteps: number;
    /** Where its title is not what the change does. */
    readonly commitAs?: { readonly title: string; readonly note: string };
  },
): Promise<TaskReport> {
  const { name, title, prompt, maxSteps, commitAs } = task;
  const { output, stopped, model, ran } = await run.child(
    name,
    treeTurnRun,
    { role: 'implementer', place, holder: run.id, title, prompt, maxSteps },
    { title },
  );
  const commit = await run.step(
    `commit ${name}`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return { id: await commitWork(place, { title, ...commitAs, runId: run.id, signal }) };
    },
    { title: 'commits it' },
  );
  return {
    title,
    status: commit.id === undefined ? 'no_change' : 'committed',
    ...(commit.id === undefined ? {} : { commit: commit.id }),
    output,
    ...(stopped === undefined ? {} : { stopped }),
    ...(model === undefined ? {} : { model }),
    ...(ran === undefined ? {} : { ran }),
  };
}
