import { GitFailure, git, type WorkingTree } from '@nexus/git';
import { ToolError } from '@nexus/plugin-sdk';

/**
 * The commit that a revision names. Nothing but commits are shown: a blob's own name would lead past the roots.
 * @throws {ToolError} NEXUS_NOT_FOUND
 */
export async function commitOf(revision: string, tree: WorkingTree, signal: AbortSignal): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  try {
    return (await git(tree, args, { signal })).trim();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const text = `There is no commit ${revision}. git_history with action "log" lists those there are.`;
    throw new ToolError('NEXUS_NOT_FOUND', text, { cause: error });
  }
}
