import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Workspace } from '../workspace/workspace.ts';
import { addToBundledPlugins, addToFrontPage, addToManifest } from './bundle-plugin.ts';
import { type PluginParts, pluginFiles } from './plugin-files.ts';
import { namesFor } from './plugin-name.ts';

const BUNDLED_FILE = 'apps/nexus/src/plugins/bundled-plugins.ts';
const APP_MANIFEST = 'apps/nexus/package.json';
const FRONT_PAGE = 'README.md';
const PLUGIN_FOLDER = 'packages/plugins/';

/** What follows the writing, each to succeed before the next starts. */
const finishing = (name: string) => [
  ['pnpm', 'install', '--no-frozen-lockfile', '--prefer-offline'] as const,
  ['biome', 'check', '--write', `${PLUGIN_FOLDER}${name}`, BUNDLED_FILE, APP_MANIFEST] as const,
  ['tsx', 'scripts/governance/cli.ts', 'update'] as const,
];

/**
 * Writes the plugin, bundles it with the app, names it on the front page, installs, and brings lock and docs up to date.
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
    ([file, text]) => [`${PLUGIN_FOLDER}${name}/${file}`, text] as const,
  );
  const written = [
    ...own,
    [BUNDLED_FILE, addToBundledPlugins(workspace.read(BUNDLED_FILE), names)],
    [APP_MANIFEST, addToManifest(workspace.read(APP_MANIFEST), names)],
    [FRONT_PAGE, addToFrontPage(workspace.read(FRONT_PAGE), names, pluginsOf(workspace))],
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

function pluginsOf({ packages }: Workspace): string[] {
  return packages.flatMap(({ folder }) =>
    folder.startsWith(PLUGIN_FOLDER) ? folder.slice(PLUGIN_FOLDER.length) : [],
  );
}
