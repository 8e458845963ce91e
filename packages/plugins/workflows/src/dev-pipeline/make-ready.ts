import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import type { WorkflowsState } from '../state.ts';
import { removeLeftovers } from '../worktree/leftovers.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { commandStep } from './checks.ts';

/** Makes the worktree of a run, and readies it by the commands of setup. @throws {ToolError} NEXUS_UNAVAILABLE where one fails */
export async function makeReady(
  setup: readonly string[],
  run: RunContext<WorkflowsState>,
  place: Place,
): Promise<void> {
  await run.step(
    'worktree',
    async ({ signal }) => {
      await removeLeftovers(run.host, signal);
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
    },
    { title: 'makes the worktree' },
  );
  for (const name of setup) {
    const { outcome, output } = await commandStep(run, place, { step: `setup ${name}`, name });
    if (outcome === 'passed') continue;
    const text = `The worktree could not be made ready: ${name} ${outcome.replace('_', ' ')}. Mend it, or take it off workflows.setup.\n${output}`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { command: name } });
  }
}
