import { sourceFiles } from '../workspace/source-files.ts';
import type { Package, Workspace } from '../workspace/workspace.ts';

/** Used in tests alone, so what it depends on reaches no user. */
const TESTING = 'packages/testing';

/**
 * Packages from the registry that run on a user's machine, each with the folders that need it. An app
 * is bundled, so what its source imports ships even from `devDependencies`.
 */
export function runtimeDependencies(workspace: Workspace): Map<string, string[]> {
  const own = new Set(workspace.packages.map(({ manifest }) => manifest.name));
  const users = new Map<string, string[]>();
  for (const each of workspace.packages.filter(({ folder }) => folder !== TESTING)) {
    for (const name of [...new Set(namesOf(workspace, each))].filter((name) => !own.has(name))) {
      users.set(name, [...(users.get(name) ?? []), each.folder]);
    }
  }
  return users;
}

function namesOf(workspace: Workspace, { folder, manifest }: Package): string[] {
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  };
  const bundled = folder.startsWith('apps/') ? importedNames(workspace, folder) : [];
  return [
    ...Object.keys(declared),
    ...bundled.filter((name) => manifest.devDependencies?.[name] !== undefined),
  ];
}

function importedNames(workspace: Workspace, folder: string): string[] {
  return sourceFiles(workspace)
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) => [
      ...workspace.read(file).matchAll(/(?:from|import|import\() ?['"]([^'".][^'"]*)['"]/g),
    ])
    .map((match) => packageName(match[1] ?? ''));
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
