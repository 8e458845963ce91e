import type { ICruiseResult } from 'dependency-cruiser';
import { page } from '../governance/pages/markdown.ts';
import { describe, draw } from './draw.ts';
import floors from './floors.json' with { type: 'json' };
import { type House, packagesOf, roomsOf } from './house.ts';
import { stack } from './stack.ts';

const INTRO =
  'This page is for whoever works on the code of Nexus. It is drawn from the imports, tests left out. Who imports stands above whom it imports from; an arrow that follows from others is counted and not drawn. `pnpm structure` draws the packages, `pnpm structure packages/engine/src` the rooms of any folder. Which layer a package is on says [architecture.md](architecture.md); the order of the rooms below is stated in `scripts/structure/floors.json`, and `pnpm layers` holds imports to both.';

/** docs/structure.md: the packages, and the rooms of those packages whose floors are stated. */
export function structurePage(modules: ICruiseResult['modules']): string {
  return page('Structure', [
    INTRO,
    ...drawing('Packages', packagesOf(modules)),
    ...Object.keys(floors).flatMap((folder) => drawing(folder, roomsOf(modules, folder))),
  ]);
}

function drawing(title: string, house: House): string[] {
  const stacked = stack(house);
  return [`## ${title}`, describe(stacked), `\`\`\`mermaid\n${draw(stacked)}\n\`\`\``];
}
