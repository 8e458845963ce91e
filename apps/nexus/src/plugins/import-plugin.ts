import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecord } from '@nexus/core';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { exports as resolveExports } from 'resolve.exports';

const CONDITIONS = ['node', 'import', 'default'];

/**
 * The file that a plugin named in the config is imported from: of a path beside the config file, or of an npm
 * package installed where the config file is, or where Nexus is. Runs nothing of it.
 * @param from folder of the config file
 */
export function pluginEntry(specifier: string, from: string, appDir: string): string | undefined {
  if (isPath(specifier)) return entryOfPath(resolve(from, specifier));
  return entryOfPackage(specifier, from) ?? entryOfPackage(specifier, appDir);
}

/**
 * Imports a plugin named in the config, which runs its code.
 * @throws {Error} naming the plugin, where it was looked for, and the fix
 */
export async function importPlugin(specifier: string, from: string, appDir: string): Promise<AnyPlugin> {
  const entry = pluginEntry(specifier, from, appDir);
  if (!entry) {
    const fix = isPath(specifier) ? 'check the path' : `run \`npm install ${specifier}\` there`;
    throw new Error(`plugin "${specifier}" was not found from ${from} nor beside Nexus; ${fix}`);
  }
  let module: unknown;
  try {
    module = await import(pathToFileURL(entry).href);
  } catch (error) {
    const url = pathToFileURL(entry).href;
    const where =
      placeOf(error instanceof Error ? (error.stack ?? '') : '') ?? (await parsePlace(error, url));
    throw new Error(
      `plugin "${specifier}" (${entry}) can't be imported: ${(error as Error).message}${where === undefined ? '' : `, at ${where}`}`,
      { cause: error },
    );
  }
  const plugin = isRecord(module) || module !== null ? (module as { default?: unknown }).default : undefined;
  const fault = shapeFault(plugin);
  if (fault) throw new Error(`plugin "${specifier}" (${entry}) ${fault}; export default definePlugin({…})`);
  return plugin as AnyPlugin;
}

/** The first file and line that a stack names, or a line that is both; undefined where there is none. */
function placeOf(text: string): string | undefined {
  const [, url, line] = /(?<![^\s()])(file:\/\/[^\s()]+?):(\d+)/.exec(text) ?? [];
  return url === undefined ? undefined : `${fileURLToPath(url)}:${line}`;
}

async function parsePlace(error: unknown, url: string): Promise<string | undefined> {
  if (!(error instanceof SyntaxError)) return undefined;
  const { syntaxPlace } = await import('./syntax-place.ts');
  return placeOf((await syntaxPlace(url)) ?? '');
}

function isPath(specifier: string): boolean {
  return /^(\.{1,2}[/\\]|[/\\]|[a-zA-Z]:[/\\])/.test(specifier);
}

function entryOfPath(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? entryOfFolder(path) : path;
}

/** Looks through the `node_modules` folders upward from `from`, as Node does. */
function entryOfPackage(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', ...name.split('/'));
  if (existsSync(join(folder, 'package.json'))) return entryOfFolder(folder);
  const parent = dirname(from);
  return parent === from ? undefined : entryOfPackage(name, parent);
}

function entryOfFolder(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { exports?: unknown; main?: string };
  const exported = manifest.exports
    ? resolveExports(manifest, '.', { conditions: CONDITIONS, unsafe: true })?.[0]
    : undefined;
  return join(folder, exported ?? manifest.main ?? 'index.js');
}

function shapeFault(plugin: unknown): string | undefined {
  if (!isRecord(plugin)) return 'has no default export';
  if (typeof plugin.name !== 'string' || !/^[a-z][a-z0-9-]{0,47}$/.test(plugin.name)) {
    return 'has no name of lower-case letters, digits and dashes';
  }
  if (!Array.isArray(plugin.tools)) return 'has no list of tools';
  if (!isRecord(plugin.options) || !('safeParse' in plugin.options)) return 'has no zod schema as options';
  if (typeof plugin.start !== 'function' || typeof plugin.stop !== 'function') return 'lacks start or stop';
  return undefined;
}
