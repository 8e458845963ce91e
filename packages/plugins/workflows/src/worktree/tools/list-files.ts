import { git } from '@nexus/git';
import { z } from 'zod';
import { treePath } from '../tree-path.ts';
import { path, type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';

const MAX_FILES = 1_000;

export function listFiles(work: TreeWork): TreeTool {
  return treeTool(
    {
      name: 'list_files',
      description: 'The files of the project, or of one folder of it, those that git ignores left out.',
      input: z.object({ folder: path.default('.') }),
      isReadOnly: true,
      isRepeatable: true,
      async run({ folder }, { path: treeTop, top }, signal) {
        const { name } = await treePath(top, folder);
        const only = name === '' ? [] : [name];
        const args = ['--literal-pathspecs', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'];
        const listed = await git({ treeTop, cwd: top }, [...args, '--', ...only], { signal });
        const files = [...new Set(listed.split('\0').filter((file) => file !== ''))];
        if (files.length === 0) return `No files in ${folder}.`;
        const rest = files.length - MAX_FILES;
        const more = rest > 0 ? [`(and ${rest} more: name a folder)`] : [];
        return [...files.slice(0, MAX_FILES), ...more].join('\n');
      },
    },
    work,
  );
}
