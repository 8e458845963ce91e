import process from 'node:process';
import { repositoryRoot } from '../workspace/open-workspace.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { describe, draw } from './draw.ts';
import { packagesOf, roomsOf } from './house.ts';
import { readImports } from './read-imports.ts';
import { stack } from './stack.ts';

const HELP = `Draws who imports from whom, as a Mermaid flowchart, tests left out.

  pnpm structure                              the packages and the app
  pnpm structure packages/downstream/src      the files and folders of one folder
  pnpm structure packages/downstream/src --root ../as-it-was   of another, installed checkout
`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { root: { type: 'string' } },
});
const [folder] = positionals;
const { modules } = await readImports(
  values.root ?? repositoryRoot,
  folder ? [folder] : ['apps', 'packages'],
);
const stacked = stack(folder ? roomsOf(modules, folder.replace(/\/$/, '')) : packagesOf(modules));
process.stdout.write(`%% ${describe(stacked)}\n${draw(stacked)}\n`);
