import { type Host, ToolError } from '@nexus/plugin-sdk';
import { readTextSync, UnreadableFileError } from '@nexus/primitives';
import { projectPath } from '../../project/project-path.ts';

/** More than any model reads at once. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The first of these files of the project that is there.
 * @throws {ToolError} NEXUS_NOT_FOUND naming all of them; NEXUS_OUTSIDE_ROOTS for a link that leads elsewhere;
 * NEXUS_FILE_UNREADABLE for a pipe, a device or more than any model reads
 */
export async function readFirst(
  host: Pick<Host, 'projectRoot' | 'privatePaths'>,
  names: readonly string[],
): Promise<string> {
  for (const name of names) {
    try {
      const path = await projectPath(host, name);
      if (path !== undefined) return readTextSync(path, MAX_BYTES);
      const text = `${name} is a link that leads out of the project, which is not followed.`;
      throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
    } catch (error) {
      if (error instanceof UnreadableFileError) {
        throw new ToolError('NEXUS_FILE_UNREADABLE', `${name} ${error.fault}.`, { cause: error });
      }
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new ToolError(
    'NEXUS_NOT_FOUND',
    `The project has none of ${names.join(', ')}; write one to serve it here.`,
  );
}
