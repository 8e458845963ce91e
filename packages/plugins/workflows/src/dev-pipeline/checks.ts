import { join } from 'node:path';
import type { ProgramEnd, RunContext } from '@nexus/plugin-sdk';
import { runAllowed } from '../commands/allowed.ts';
import type { WorkflowsState } from '../state.ts';
import { tidy } from '../worktree/commits.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import type { CheckReport } from './dev-output.ts';

/**
 * An allowed command as a step of the run, in its worktree, where all work is committed: what else it leaves there
 * that the repository does not ignore, such as a report, is no part of the change.
 */
export function commandStep(
  run: RunContext<WorkflowsState>,
  place: Place,
  { step, name }: { readonly step: string; readonly name: string },
): Promise<ProgramEnd> {
  return run.step(
    step,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      const cwd = join(place.path, place.folder);
      const result = await runAllowed(run.state.options, name, { cwd, signal, programs: run.host.programs });
      await tidy(place, signal);
      return result;
    },
    { title: `runs ${name}` },
  );
}

/** How the checks come out before anything is changed. */
export async function checksBefore(
  run: RunContext<WorkflowsState>,
  place: Place,
  names: readonly string[],
): Promise<CheckReport[]> {
  const reports: CheckReport[] = [];
  // One after the other: they share a folder.
  for (const name of names) {
    const result = await commandStep(run, place, { step: `before ${name}`, name });
    reports.push({ name, before: result.outcome, ...told(result) });
  }
  return reports;
}

/** How they come out after it. */
export async function checksAfter(
  run: RunContext<WorkflowsState>,
  place: Place,
  { before, round }: { readonly before: readonly CheckReport[]; readonly round: number },
): Promise<CheckReport[]> {
  const reports: CheckReport[] = [];
  for (const { name, before: outcome } of before) {
    const result = await commandStep(run, place, { step: `check ${round} ${name}`, name });
    reports.push({ name, before: outcome, after: result.outcome, ...told(result) });
  }
  return reports;
}

function told({ exitCode, output, durationMs }: ProgramEnd) {
  return { output, durationMs, ...(exitCode === undefined ? {} : { exitCode }) };
}
