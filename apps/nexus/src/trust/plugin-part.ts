import { relative } from 'node:path';
import { type Environment, ExpansionError, expandVariables } from '@nexus/core/expansion';
import { pluginEntry } from '../boot/import-plugin.ts';
import { loadedFiles } from './loaded-files.ts';
import { type ConfigPart, hashOf } from './part.ts';

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** Real path of the config file's folder. */
  readonly folder: string;
  readonly appDir: string;
  readonly environment: Environment;
}

/** A plugin as a part: the files that importing it loads, so that it waits again when one of them changes. */
export function pluginPart(written: string, index: number, places: PluginPlaces): ConfigPart {
  const path = ['plugins', String(index)];
  const name = `plugins: ${written}`;
  const files = filesOf(written, places);
  if (!(files instanceof Map)) {
    return { path, name, lines: [`plugin ${written}: ${files}`], hash: hashOf([written, null]) };
  }
  const shown = [...files.keys()].map((file) => relative(places.folder, file));
  return {
    path,
    name,
    lines: [`plugin ${written}: loads into the server`, ...shown.map((file) => `  ${file}`)],
    hash: hashOf([written, [...files].map(([file, text]) => [relative(places.folder, file), text])]),
  };
}

function filesOf(
  written: string,
  { folder, appDir, environment }: PluginPlaces,
): ReadonlyMap<string, string> | string {
  try {
    const entry = pluginEntry(expandVariables(written, environment) as string, folder, appDir);
    return entry === undefined ? 'not found' : loadedFiles(entry);
  } catch (error) {
    if (error instanceof ExpansionError) return 'a variable in it is not set';
    return `can't be read: ${(error as Error).message}`;
  }
}
