import { rm } from 'node:fs/promises';
import { ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { treePath } from '../tree-path.ts';
import { path, type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';

export function deleteTreeFile(work: TreeWork): TreeTool {
  return treeTool(
    {
      name: 'delete_file',
      description: 'Deletes one file.',
      input: z.object({ path }),
      isReadOnly: false,
      isRepeatable: true,
      async run({ path: typed }, { top }) {
        const { path: file, kind } = await treePath(top, typed);
        if (kind === 'directory')
          throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${typed} is a folder; name a file.`);
        await rm(file, { force: true });
        return kind === 'none' ? `There is no ${typed}.` : `${typed} is deleted.`;
      },
    },
    work,
  );
}
