import { basename, dirname } from 'node:path';
import type { Root } from '@nexus/plugin-sdk';
import { isInside } from './is-inside.ts';
import { locate } from './locate.ts';

/** Where a search runs: a whole folder, or one file in it. */
export interface Target {
  /** Real path. */
  readonly cwd: string;
  readonly file?: string;
}

/** The folder or file the caller named, else every root that does not lie in another one. */
export async function targetsOf(
  named: string | undefined,
  roots: readonly Root[],
): Promise<readonly Target[]> {
  if (named === undefined) {
    return outermost(roots).map((root) => ({ cwd: root.path }));
  }
  const { path, kind } = await locate(named, roots);
  return kind === 'directory' ? [{ cwd: path }] : [{ cwd: dirname(path), file: basename(path) }];
}

function outermost(roots: readonly Root[]): readonly Root[] {
  return roots.filter(({ path }, index) =>
    roots.every(
      (other, at) => at === index || !isInside(other.path, path) || (other.path === path && index < at),
    ),
  );
}
