import type { CallContext, Root } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';

/** What a call may read: what lies in its roots, and in none of the server's own places. All are real paths. */
export interface Scope {
  readonly roots: readonly Root[];
  readonly privatePaths: readonly string[];
}

export async function scopeOf({ roots, host }: Pick<CallContext, 'roots' | 'host'>): Promise<Scope> {
  const { privatePaths } = host;
  const isOwn = ({ path }: Root) => privatePaths.some((own) => isInside({ path: path, folder: own }));
  return { roots: (await roots()).filter((root) => !isOwn(root)), privatePaths };
}
