import { join } from 'node:path';
import { type ResourceContext, ToolError } from '@nexus/plugin-sdk';
import { isInside, readTextSync, UnreadableFileError } from '@nexus/primitives';
import { projectPath } from '../../project/project-path.ts';

/** More than any model reads at once. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The first of these files of the project that is there, of those that whoever reads may read: of others it is not
 * told whether they are.
 * @throws {ToolError} NEXUS_NOT_FOUND naming all of them; NEXUS_OUTSIDE_ROOTS for what the roots leave out, or a link
 * that leads elsewhere;
 * NEXUS_FILE_UNREADABLE for a pipe, a device or more than any model reads
 */
export async function readFirst(
  { host, roots }: Pick<ResourceContext, 'host' | 'roots'>,
  names: readonly string[],
): Promise<string> {
  const readable = await roots();
  const isReadable = (path: string) => readable.some(({ path: folder }) => isInside({ path, folder }));
  const told = names.filter((name) => isReadable(join(host.projectRoot, name)));
  for (const name of told) {
    try {
      const path = await projectPath(host, name);
      if (path !== undefined && isReadable(path)) return readTextSync(path, MAX_BYTES);
      const text = `${name} is a link that leads out of what may be read of the project, which is not followed.`;
      throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
    } catch (error) {
      if (error instanceof UnreadableFileError) {
        throw new ToolError('NEXUS_FILE_UNREADABLE', `${name} ${error.fault}.`, { cause: error });
      }
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  if (told.length < names.length) {
    const left = names.filter((name) => !told.includes(name)).join(', ');
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', `The roots that this client names leave out ${left}.`);
  }
  throw new ToolError(
    'NEXUS_NOT_FOUND',
    `The project has none of ${names.join(', ')}; write one to serve it here.`,
  );
}
