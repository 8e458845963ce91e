import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';

/** The first of these files that is there. @throws {ToolError} NEXUS_NOT_FOUND naming all of them */
export async function readFirst(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new ToolError(
    'NEXUS_NOT_FOUND',
    `The project has none of ${names.join(', ')}; write one to serve it here.`,
  );
}
