import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Host } from '@nexus/plugin-sdk';

/**
 * The real path of something in the project; undefined where a link leads out of it, as a repository may bring
 * along, or to what is Nexus's own.
 * @throws what the system says of a path that is not there
 */
export async function projectPath(
  { projectRoot, privatePaths }: Pick<Host, 'projectRoot' | 'privatePaths'>,
  name: string,
): Promise<string | undefined> {
  const path = await realpath(join(projectRoot, name));
  const isOwn = privatePaths.some((own) => isInside(own, path));
  return isInside(await realpath(projectRoot), path) && !isOwn ? path : undefined;
}

/** Both real paths. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
