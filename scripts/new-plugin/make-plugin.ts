import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Workspace } from '../workspace/workspace.ts';
import { addToBundledPlugins, addToManifest } from './bundle-plugin.ts';
import { type PluginParts, pluginFiles } from './plugin-files.ts';
import { namesFor } from './plugin-name.ts';

const BUNDLED_FILE = 'apps/nexus/src/plugins/bundled-plugins.ts';
const APP_MANIFEST = 'apps/nexus/package.json';

/** What follows the writing, each to succeed before the next starts. */
const finishing = (name: string) => [
  ['pnpm', 'install', '--no-frozen-lockfile', '--prefer-offline'] as const,
  ['biome', 'check', '--write', `packages/plugins/${name}`, BUNDLED_FILE, APP_MANIFEST] as const,
  ['tsx', 'scripts/governance/cli.ts', 'update'] as const,
];

/**
 * Writes the plugin, bundles it with the app, installs, and brings lock and docs up to date.
 * @returns the files written
 * @throws {Error} on a bad or taken name, before anything is written
 */
export async function makePlugin(
  workspace: Workspace,
  name: string,
  parts: PluginParts = {},
): Promise<string[]> {
  const names = namesFor(name, workspace);
  const own = Object.entries(pluginFiles(names, parts)).map(
    ([file, text]) => [`packages/plugins/${name}/${file}`, text] as const,
  );
  const written = [
    ...own,
    [BUNDLED_FILE, addToBundledPlugins(workspace.read(BUNDLED_FILE), names)],
    [APP_MANIFEST, addToManifest(workspace.read(APP_MANIFEST), names)],
  ] as const;
  for (const [file, text] of written) {
    mkdirSync(dirname(join(workspace.root, file)), { recursive: true });
    writeFileSync(join(workspace.root, file), text);
  }
  for (const [program, ...args] of finishing(name)) {
    await execa(program, args, { cwd: workspace.root, preferLocal: true, stdin: 'ignore', all: true });
  }
  return written.map(([file]) => file);
}
