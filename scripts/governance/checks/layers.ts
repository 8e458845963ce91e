import type { ICruiseResult, IViolation } from 'dependency-cruiser';
import { readImports, rules } from '../../structure/read-imports.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'layers';

/** Holds imports to the rules in .dependency-cruiser.cjs. */
export const layers: Check = {
  name: NAME,
  proves:
    'imports go only downward through the layers of docs/architecture.md, and through the floors of packages that have some',
  async run({ workspace }) {
    const folders = foldersOfSource(workspace.files);
    if (folders.length === 0) return lookedAtNothing(NAME, 'folders of source');
    const { modules, summary } = await readImports(workspace.root, folders);
    return [...unseenPackages(workspace, modules), ...summary.violations.map(toFinding)];
  },
};

export function foldersOfSource(files: readonly string[]): string[] {
  return ['apps', 'packages', 'scripts'].filter((folder) =>
    files.some((file) => file.startsWith(`${folder}/`)),
  );
}

/**
 * Packages whose source the tool did not read, as happens without a compiler it can use, and packages
 * whose imports by name it did not follow: rules about those would hold of anything.
 */
function unseenPackages(workspace: Workspace, modules: ICruiseResult['modules']): Finding[] {
  const sources = new Set(modules.map((module) => module.source));
  return workspace.packages.flatMap(({ folder, manifest }) => {
    const own = workspace.files.filter((file) => file.startsWith(`${folder}/src/`) && file.endsWith('.ts'));
    const unread = own.filter((file) => !sources.has(file) && !/\/fixtures\/|\.d\.ts$/.test(file));
    if (unread.length === 0) return [];
    const what = `${unread.length} files of ${manifest.name} were not read, such as ${unread[0]}`;
    return [{ check: NAME, where: folder, what, fix: 'see what `npx depcruise --info` says of TypeScript' }];
  });
}

function toFinding({ rule, from, to, unresolvedTo, cycle }: IViolation): Finding {
  const way = cycle ? cycle.map(({ name }) => name).join(' -> ') : (unresolvedTo ?? to);
  return {
    check: NAME,
    where: from,
    what: `imports ${way}, against the rule ${rule.name}`,
    fix: rules.forbidden.find(({ name }) => name === rule.name)?.comment ?? 'see .dependency-cruiser.cjs',
  };
}
