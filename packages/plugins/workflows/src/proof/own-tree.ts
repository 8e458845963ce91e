import { gitExit } from '@nexus/git';
import { isToolError, type ProveInput, type RunContext, ToolError } from '@nexus/plugin-sdk';
import { commandNames } from '../commands/command-names.ts';
import { makeReady } from '../dev-pipeline/make-ready.ts';
import type { WorkflowsState } from '../state.ts';
import { findRepository, type Repository } from '../worktree/find-repository.ts';
import type { Place } from '../worktree/place.ts';
import { dropBranch, leaveWorktree, nameDone, openWorktree } from '../worktree/worktree.ts';
import type { Sight } from './judge-sight.ts';
import { putChange, type Sides } from './put-change.ts';
import type { Ready } from './ran.ts';

/** Where something is run, and what; or why there can be none. */
export async function groundOf(
  { brought }: Pick<ProveInput, 'brought'>,
  { host, state }: RunContext<WorkflowsState>,
  signal: AbortSignal,
): Promise<
  { readonly repository: Repository; readonly setup: string[]; readonly checks: string[] } | string
> {
  const { projectRoot, privatePaths } = host;
  try {
    const { setup, checks } = commandNames(state.options);
    if (checks.length === 0) return 'the config allows no command that judges a change (workflows.commands).';
    const scope = { roots: [{ path: projectRoot, name: 'project' }], privatePaths, projectRoot };
    const found = await findRepository('.', scope, signal);
    const base = brought === undefined ? found.base : await tipOf(found, brought.branch, signal);
    const repository = { ...found, base };
    return { repository, setup: [...setup], checks: [...checks] };
  } catch (error) {
    if (signal.aborted || !isToolError(error)) throw error;
    return error.message;
  }
}

/** @throws {ToolError} NEXUS_UNAVAILABLE where the branch is gone */
async function tipOf({ repository }: Repository, branch: string, signal: AbortSignal): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`];
  const tree = { treeTop: repository };
  const { exitCode, output } = await gitExit(tree, args, { signal, allowExits: [1] });
  if (exitCode === 0) return output.trim();
  throw new ToolError('NEXUS_UNAVAILABLE', `the branch ${branch} is not there any more.`);
}

/** The worktree with the change that it is about, as its base; or why it can't be had. */
export async function madeReady(
  { change }: Pick<ProveInput, 'change'>,
  run: RunContext<WorkflowsState>,
  {
    place,
    setup,
    sees,
  }: {
    readonly place: Place;
    readonly setup: readonly string[];
    /** What is read of the commit with the change. */
    readonly sees?: (at: string, signal: AbortSignal) => Promise<Sight>;
  },
): Promise<Pick<Ready, 'place' | 'without' | 'sight'> | string> {
  try {
    await makeReady(setup, run, place);
  } catch (error) {
    if (run.signal.aborted || !isToolError(error) || error.code !== 'NEXUS_UNAVAILABLE') throw error;
    return error.message;
  }
  if (change === undefined) return { place };
  const sides: (Sides & Pick<Ready, 'sight'>) | null = await run.step(
    'change',
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      const put = await putChange(place, change, signal);
      if (put === undefined) return null;
      return sees === undefined ? put : { ...put, sight: await sees(put.with, signal) };
    },
    { title: 'puts the change into the worktree' },
  );
  if (sides === null) return 'the last commit neither has the change nor can take it.';
  return { place: { ...place, base: sides.with }, without: sides.without, sight: sides.sight };
}

/** @param keepsBranch whether its branch stays, under the name of what is done */
export function left(run: RunContext, place: Place, keepsBranch: boolean): Promise<void> {
  return run.step(
    'leave',
    async ({ signal }) => {
      await leaveWorktree(place, { runId: run.id, signal });
      if (keepsBranch) await nameDone(place, signal);
      else await dropBranch(place, signal);
    },
    { title: 'leaves the worktree' },
  );
}
