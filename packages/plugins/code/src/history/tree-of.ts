import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ownTree, type WorkingTree } from '@nexus/git';
import { type CallContext, isToolError, type ToolError } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import { locate } from '../roots/locate.ts';
import { type Scope, scopeOf } from '../roots/scope.ts';
import { outermost } from '../roots/targets.ts';

/** What of a repository's history a caller may see. */
export interface VisibleTree {
  readonly tree: WorkingTree;
  /** Pathspecs that leave nothing but what was asked for, of what lies in the roots and is not Nexus's own. */
  readonly only: readonly string[];
  /** What was named, from the top of the repository; empty where nothing was, or the whole of it. */
  readonly path: string;
  /** Why what was named is not there now; its history may be. */
  readonly gone?: ToolError;
}

/**
 * The repository of what was named, or of the project.
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS; NEXUS_UNAVAILABLE where there is no repository
 */
export async function treeOf(
  named: string | undefined,
  context: Pick<CallContext, 'roots' | 'host' | 'signal'>,
): Promise<VisibleTree> {
  const scope = await scopeOf(context);
  const { host, signal } = context;
  const roots = outermost(scope.roots);
  const { path: at, gone } = await find(named ?? roots[0] ?? host.projectRoot, scope);
  const own = roots.find((root) => isInside({ path: at, folder: root })) ?? host.projectRoot;
  const advice = 'Its history can’t be read; read_file has the files as they are.';
  const treeTop = await ownTree(own, { own, signal, advice });
  const below = (path: string) => relative(treeTop, path).split(sep).join('/');
  const hidden = scope.privatePaths.filter((path) => isInside({ path, folder: treeTop }));
  // Of a root that holds the repository, all of it is to be seen.
  const path = isInside({ path: treeTop, folder: at }) ? '' : below(at);
  return {
    tree: { treeTop },
    only: [
      path === '' ? '.' : `:(top,literal)${path}`,
      ...hidden.map((each) => `:(top,exclude,literal)${below(each)}`),
    ],
    path,
    ...(gone ? { gone } : {}),
  };
}

/** What is no more keeps its place in the history: as it was called, below the root that it was in. */
async function find(
  typed: string,
  scope: Scope,
): Promise<{ readonly path: string; readonly gone?: ToolError }> {
  try {
    return await locate(typed, scope);
  } catch (error) {
    const root = scope.roots[0]?.path;
    if (!isToolError(error) || error.code !== 'NEXUS_NOT_FOUND' || root === undefined) throw error;
    const path = resolve(root, typed);
    if (isAbsolute(typed) || !isInside({ path, folder: root })) throw error;
    return { path, gone: error };
  }
}
