import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Place } from '../place.ts';
import { treePath } from '../tree-path.ts';
import { path, type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';

export const MAX_TEXT_CHARS = 500_000;

export function writeTreeFile(work: TreeWork): TreeTool {
  return treeTool(
    {
      name: 'write_file',
      description:
        'Writes a whole text file, new or in the place of the old one. For a part of a file, edit_file.',
      input: z.object({
        path,
        text: z.string().max(MAX_TEXT_CHARS).describe('All that the file is to hold.'),
      }),
      isReadOnly: false,
      isRepeatable: true,
      async run({ path: typed, text }, place) {
        await putText(place, typed, text);
        return `${typed} is written.`;
      },
    },
    work,
  );
}

/**
 * The old file or the new one, never a part: written beside the worktree and moved into it. The last part of the
 * path is replaced, not followed.
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS, NEXUS_FILE_UNREADABLE
 */
export async function putText(place: Place, typed: string, text: string): Promise<void> {
  const { path: file, kind, name } = await treePath(place.top, typed);
  if (kind === 'directory' || name === '') {
    throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is a folder; name a file.`);
  }
  const draft = `${place.path}.new-${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, text);
    if (kind === 'file') await chmod(draft, (await stat(file)).mode);
    await rename(draft, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} can't be written: ${reason}`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}
