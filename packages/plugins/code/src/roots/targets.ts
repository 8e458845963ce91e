import { basename, dirname } from 'node:path';
import type { Root } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import { locate } from './locate.ts';
import type { Scope } from './scope.ts';

/** Where a search runs: a whole folder, or one file in it. All are real paths. */
export interface Target {
  /** The outermost root that it lies in. */
  readonly root: string;
  readonly cwd: string;
  readonly file?: string;
}

/** The folder or file the caller named, else every root that does not lie in another one. */
export async function targetsOf(named: string | undefined, scope: Scope): Promise<readonly Target[]> {
  const outer = outermost(scope.roots);
  if (named === undefined) return outer.map((root) => ({ root, cwd: root }));
  const { path, kind } = await locate(named, scope);
  const root = outer.find((each) => isInside({ path: path, folder: each })) ?? path;
  return kind === 'directory' ? [{ root, cwd: path }] : [{ root, cwd: dirname(path), file: basename(path) }];
}

export function outermost(roots: readonly Root[]): readonly string[] {
  const paths = [...new Set(roots.map((root) => root.path))];
  return paths.filter(
    (path) => !paths.some((other) => other !== path && isInside({ path: path, folder: other })),
  );
}
