import { readImports } from '../../structure/read-imports.ts';
import { structurePage } from '../../structure/structure-page.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, lookedAtNothing } from '../check.ts';
import { firstDifference } from '../line-difference.ts';
import { foldersOfSource } from './layers.ts';

const NAME = 'structure';
export const STRUCTURE_FILE = 'docs/structure.md';

export async function renderStructure({ root, files }: Workspace): Promise<string> {
  return structurePage((await readImports(root, foldersOfSource(files))).modules);
}

export const structure: Check = {
  name: NAME,
  proves: `${STRUCTURE_FILE} draws the packages and their rooms as they are`,
  async run({ workspace }) {
    if (foldersOfSource(workspace.files).length === 0) return lookedAtNothing(NAME, 'folders of source');
    const written = workspace.files.includes(STRUCTURE_FILE) ? workspace.read(STRUCTURE_FILE) : '';
    const difference = firstDifference(written, await renderStructure(workspace));
    if (!difference) return [];
    const what = `line ${difference.line} is "${difference.before}" and should be "${difference.after}"`;
    const fix = 'run `pnpm governance update`, and look at the drawing: is that the house you want?';
    return [{ check: NAME, where: STRUCTURE_FILE, what, fix }];
  },
};
