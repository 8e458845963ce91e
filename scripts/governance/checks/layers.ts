import { createRequire } from 'node:module';
import { cruise, type ICruiseResult, type IForbiddenRuleType, type IViolation } from 'dependency-cruiser';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'layers';

interface LayerRules {
  readonly forbidden: IForbiddenRuleType[];
  readonly options: Readonly<Record<string, unknown>>;
}

const rules: LayerRules = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs');

/** Holds imports to the rules in .dependency-cruiser.cjs. */
export const layers: Check = {
  name: NAME,
  proves: 'imports go only downward through the layers of docs/architecture.md',
  async run({ workspace }) {
    const folders = ['apps', 'packages', 'scripts'].filter((folder) =>
      workspace.files.some((file) => file.startsWith(`${folder}/`)),
    );
    if (folders.length === 0) return lookedAtNothing(NAME, 'folders of source');
    const { modules, summary } = await cruiseImports(workspace.root, folders);
    return [...unseenPackages(workspace, modules), ...summary.violations.map(toFinding)];
  },
};

async function cruiseImports(root: string, folders: string[]): Promise<ICruiseResult> {
  const { output } = await cruise(folders, {
    ...rules.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  });
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text, not with a result');
  return output;
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
