import { isToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { GitHub } from '../api/github.ts';

const Commit = z.object({ sha: z.string().regex(/^[\da-f]{40}$/) });

/** An action as a workflow names it: by the commit that its tag meant when GitHub was asked, or by its tag. */
export type Pin = string;

export interface Pins {
  pin(action: string): Pin;
  /** Those whose commit GitHub did not say: they stand by their tag. */
  readonly unpinned: readonly string[];
}

/** Asks GitHub for the commit that each action’s tag means now. */
export async function readPins(github: GitHub, actions: readonly string[]): Promise<Pins> {
  const commits = new Map<string, string>();
  const unpinned: string[] = [];
  for (const repository of new Set(actions.map(repositoryOf))) {
    const [owner = '', repo = '', ref = ''] = repository.split(/[/@]/);
    const commit = await commitOf(github, { owner, repo, ref });
    if (commit === undefined) unpinned.push(repository);
    else commits.set(repository, commit);
  }
  return {
    unpinned,
    pin(action) {
      const commit = commits.get(repositoryOf(action));
      const [name = '', ref = ''] = action.split('@');
      return commit === undefined ? action : `${name}@${commit} # ${ref}`;
    },
  };
}

/** `owner/name@ref`: an action may lie in a folder of its repository. */
function repositoryOf(action: string): string {
  const [name = '', ref = ''] = action.split('@');
  return `${name.split('/').slice(0, 2).join('/')}@${ref}`;
}

async function commitOf(
  github: GitHub,
  at: { readonly owner: string; readonly repo: string; readonly ref: string },
): Promise<string | undefined> {
  try {
    const told = await github.readIfThere(Commit, 'GET /repos/{owner}/{repo}/commits/{ref}', at);
    return told?.data.sha;
  } catch (error) {
    // The plan is of use without it, and says so.
    if (
      isToolError(error) &&
      ['NEXUS_RATE_LIMITED', 'NEXUS_UNAVAILABLE', 'NEXUS_DENIED', 'NEXUS_INVALID_ARGUMENTS'].includes(
        error.code,
      )
    )
      return undefined;
    throw error;
  }
}
