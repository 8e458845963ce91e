import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';

/**
 * The real path of something in the project; undefined where a link leads out of it, as a repository may bring
 * along, to what is Nexus's own, or to git's settings, which may hold credentials.
 * @throws what the system says of a path that is not there
 */
export async function projectPath(
  { projectRoot, privatePaths }: Pick<Host, 'projectRoot' | 'privatePaths'>,
  name: string,
): Promise<string | undefined> {
  const path = await realpath(join(projectRoot, name));
  const isOwn = privatePaths.some((own) => isInside({ path: path, folder: own }));
  const root = await realpath(projectRoot);
  if (isOwn || !isInside({ path: path, folder: root })) return undefined;
  return isOfGit({ path, folder: root }) ? undefined : path;
}
