import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { defineRun, type ProveInput, type RunContext, withoutMarks } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import { leaveAtEnd } from '../dev-pipeline/leave-at-end.ts';
import { makeReady } from '../dev-pipeline/make-ready.ts';
import { groundOf, left } from '../proof/own-tree.ts';
import type { WorkflowsState } from '../state.ts';
import { placeOf } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import type { Ground } from './evidence.ts';

interface BranchGroundInput {
  readonly brought: NonNullable<ProveInput['brought']>;
  /** What was answered of requirements before the change. */
  readonly answers: readonly { readonly id: string; readonly output: string }[];
}

/** What stands on a branch of the places that answers name; or why nobody could look. */
export type BranchGround = readonly { readonly id: string; readonly ground: Ground }[] | string;

/** Looks up on a branch, without a model and without running anything, what answers said that files hold. */
export const branchGroundRun = defineRun({
  name: 'workflows.branch-ground',
  version: 1,
  place: 'machine',
  async run({ brought, answers }: BranchGroundInput, run: RunContext<WorkflowsState>): Promise<BranchGround> {
    const start = await run.step('ground', ({ signal }) => groundOf({ brought }, run, signal), {
      title: 'finds the branch',
    });
    if (typeof start === 'string') return start;
    const id = await run.uuid('id');
    const { dataDir, projectRoot } = run.host;
    const place = placeOf({ id, title: 'what was read before', dataDir, repository: start.repository });
    leaveAtEnd(place, run);
    await makeReady([], run, place);
    const looked = await run.step(
      'evidence',
      async ({ signal }): Promise<BranchGround> => {
        await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
        // What is inside is told by real paths.
        const root = await realpath(place.top);
        // The worktree itself lies in the data folder, which is private.
        const privatePaths = run.host.privatePaths
          .filter((path) => isInside({ path, folder: projectRoot }))
          .map((path) => join(root, relative(projectRoot, path)));
        const read = run.state.room.visit({ signal });
        const found = [];
        for (const { id: of, output } of answers) {
          const asked = { output: withoutMarks(output), root, privatePaths };
          found.push({ id: of, ground: await read('groundIn', asked) });
        }
        return found;
      },
      { title: 'looks the evidence up on the branch' },
    );
    await left(run, place, false);
    return looked;
  },
});
