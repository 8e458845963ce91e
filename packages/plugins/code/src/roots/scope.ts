import { type CallContext, type Root, ToolError } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';

/** What a call may read: what lies in its roots, and is neither the server's own nor git's. All are real paths. */
export interface Scope {
  readonly roots: readonly Root[];
  readonly privatePaths: readonly string[];
  readonly projectRoot: string;
}

/** @throws {ToolError} NEXUS_OUTSIDE_ROOTS where none of its roots may be read */
export async function scopeOf({ roots, host }: Pick<CallContext, 'roots' | 'host'>): Promise<Scope> {
  const { privatePaths, projectRoot } = host;
  const isNobodys = ({ path }: Root) =>
    privatePaths.some((own) => isInside({ path: path, folder: own })) ||
    isOfGit({ path, folder: projectRoot });
  const named = await roots();
  const readable = named.filter((root) => !isNobodys(root));
  if (readable.length > 0) return { roots: readable, privatePaths, projectRoot };
  const paths = named.map(({ path }) => path).join(', ');
  const text = `No tool reads what this session’s roots name (${paths}): it is Nexus’s own or git’s own. Open the host in the project’s folder, ${projectRoot}, or in a folder of it.`;
  throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
}
