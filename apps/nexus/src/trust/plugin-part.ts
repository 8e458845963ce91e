import { relative } from 'node:path';
import { stableHash } from '@nexus/primitives';
import { visibleWord } from '@nexus/untrusted/shown';
import { type Environment, ExpansionError, expandVariables } from '../config/expansion/index.ts';
import { pluginEntry } from '../plugins/import-plugin.ts';
import { boundPackages, shownPackages } from './bound-packages.ts';
import { type LoadedFiles, loadedFiles } from './loaded-files.ts';
import type { ConfigPart } from './part.ts';
import { namesOf, shownLoaded } from './shown-loaded.ts';
import { MAY_RUN_WRITTEN } from './shown-program.ts';

/** Said where the texts of a plugin's files do not tell for certain what they load and run. */
const MAY_LOAD_MORE =
  'and whatever else these load or run in turn: their text does not tell it, and Nexus does not notice a change of it';

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** Real path of the config file's folder. */
  readonly folder: string;
  /** The repository's, else the same. */
  readonly top: string;
  readonly appDir: string;
  readonly environment: Environment;
}

/** A plugin as a part: the files that importing it loads, so that it waits again when one of them changes. */
export function pluginPart(written: string, index: number, places: PluginPlaces): ConfigPart {
  const path = ['plugins', String(index)];
  const name = `plugins: ${written}`;
  const loaded = loadedBy(written, places);
  if (typeof loaded === 'string') {
    return {
      path,
      name,
      lines: [`plugin ${visibleWord(written)}: ${loaded}`],
      hash: stableHash([written, null]),
    };
  }
  const { files, packages, isCertain, writesFiles } = loaded;
  const more = isCertain ? (writesFiles ? [MAY_RUN_WRITTEN] : []) : [MAY_LOAD_MORE];
  const bound = boundPackages(packages, places.folder);
  const linesWith = (loaded: readonly string[]) => [
    `plugin ${visibleWord(written)}: loads into the server`,
    ...loaded.map((line) => `  ${line}`),
    ...shownPackages(bound).map((line) => `  ${line}`),
    ...more.map((line) => `  ${line}`),
  ];
  return {
    path,
    name,
    lines: linesWith(shownLoaded(files, places.folder)),
    wholeLines: linesWith(namesOf(files.keys(), places.folder)),
    hash: stableHash([
      written,
      [...files].map(([file, text]) => [relative(places.folder, file), text]),
      ...(bound.length > 0 ? [bound] : []),
    ]),
  };
}

function loadedBy(written: string, { folder, top, appDir, environment }: PluginPlaces): LoadedFiles | string {
  try {
    const entry = pluginEntry(expandVariables(written, environment) as string, folder, appDir);
    return entry === undefined ? 'not found' : loadedFiles(entry, top);
  } catch (error) {
    if (error instanceof ExpansionError) return 'a variable in it is not set';
    return `can't be read: ${(error as Error).message}`;
  }
}
