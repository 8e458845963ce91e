import { readFile } from 'node:fs/promises';
import { type Host, ToolError } from '@nexus/plugin-sdk';
import { projectPath } from '../project-path.ts';

/**
 * The first of these files of the project that is there.
 * @throws {ToolError} NEXUS_NOT_FOUND naming all of them; NEXUS_OUTSIDE_ROOTS for a link that leads elsewhere
 */
export async function readFirst(
  host: Pick<Host, 'projectRoot' | 'privatePaths'>,
  names: readonly string[],
): Promise<string> {
  for (const name of names) {
    try {
      const path = await projectPath(host, name);
      if (path !== undefined) return await readFile(path, 'utf8');
      const text = `${name} is a link that leads out of the project, which is not followed.`;
      throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new ToolError(
    'NEXUS_NOT_FOUND',
    `The project has none of ${names.join(', ')}; write one to serve it here.`,
  );
}
