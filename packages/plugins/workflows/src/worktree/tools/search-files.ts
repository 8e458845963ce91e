import { gitExit } from '@nexus/git';
import { z } from 'zod';
import { treePath } from '../tree-path.ts';
import { path, type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';

const MAX_HITS = 200;
const MAX_LINE_CHARS = 300;

export function searchFiles(work: TreeWork): TreeTool {
  return treeTool(
    {
      name: 'search_files',
      description: 'Lines of the project’s text files that contain a text, as path:line:text.',
      input: z.object({
        text: z.string().min(1).max(500).describe('Searched for as it stands; no pattern.'),
        folder: path.default('.'),
        ignoreCase: z.boolean().default(false).describe('Whether capitals count.'),
      }),
      isReadOnly: true,
      isRepeatable: true,
      async run({ text, folder, ignoreCase }, { path: treeTop, top }, signal) {
        const { name } = await treePath(top, folder);
        const only = name === '' ? [] : [name];
        const how = ['-n', '-I', '--no-color', '--untracked', '--fixed-strings'];
        const args = ['--literal-pathspecs', 'grep', ...how, ...(ignoreCase ? ['-i'] : []), '-e', text];
        const { output } = await gitExit({ treeTop, cwd: top }, [...args, '--', ...only], {
          signal,
          allowExits: [1],
        });
        const lines = output.split('\n').filter((line) => line !== '');
        if (lines.length === 0) return `No line contains ${JSON.stringify(text)}.`;
        const rest = lines.length - MAX_HITS;
        const more = rest > 0 ? [`(and ${rest} more: name a folder, or a longer text)`] : [];
        return [...lines.slice(0, MAX_HITS).map((line) => line.slice(0, MAX_LINE_CHARS)), ...more].join('\n');
      },
    },
    work,
  );
}
