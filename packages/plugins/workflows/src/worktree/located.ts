import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Root, ToolError } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';

/** Where a caller's paths may lead. */
export interface Scope {
  readonly roots: readonly Root[];
  /** Real paths of what is Nexus's own. */
  readonly privatePaths: readonly string[];
}

/**
 * The real path of what a caller named.
 * @param typed relative to the first root, or absolute
 * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_OUTSIDE_ROOTS
 */
export async function located(typed: string, { roots, privatePaths }: Scope): Promise<string> {
  const path = await realpath(resolve(roots[0]?.path ?? '', typed)).catch(() => {
    throw new ToolError(
      'NEXUS_NOT_FOUND',
      `There is no ${JSON.stringify(typed)}. Name a path that is there.`,
    );
  });
  if (privatePaths.some((own) => isInside({ path: path, folder: own }))) {
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', `${typed} belongs to Nexus itself, which no tool reads.`);
  }
  if (roots.some((root) => isInside({ path: path, folder: root.path }))) return path;
  const allowed = roots.map((root) => root.path).join(', ');
  const text = `${typed} lies outside the roots (${allowed}). Name a path inside, or add the folder as a root in the host.`;
  throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
}
