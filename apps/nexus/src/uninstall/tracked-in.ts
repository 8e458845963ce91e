import { GitFailure, git } from '@nexus/git';
import { findRepository } from '../project/repository.ts';
import { pathIn } from '../state/own-files.ts';
import { realOf } from '../state/real-of.ts';

const GIT_MS = 60_000;

/**
 * What git tracks in a folder, as paths in it: a checkout may bring that at any time.
 * @param own whole paths that it is asked about
 * @returns the first part of each of those where git does not say
 */
export async function trackedIn(folder: string, own: readonly string[]): Promise<string[]> {
  const cwd = realOf(folder);
  const repository = findRepository(cwd);
  if (!repository || own.length === 0) return [];
  const asked = [...new Set(own.map((path) => pathIn(folder, path).split('/')[0] ?? ''))];
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--', ...asked];
  try {
    const listed = await git({ treeTop: repository.top, cwd }, args, { signal: AbortSignal.timeout(GIT_MS) });
    return listed.split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof GitFailure) return asked;
    throw error;
  }
}
