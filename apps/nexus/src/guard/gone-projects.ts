import { join, posix } from 'node:path';
import { git, type WorkingTree } from '@nexus/git';
import { FILE_NAMES } from '../config/find.ts';
import { configOf } from '../config/load.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { foldersAbove, hasConfig, treesOf } from './project-folders.ts';

/** A project whose config the last commit still has, and its folder has no more. */
export interface GoneProject {
  /** The working tree that it lay in. */
  readonly treeTop: string;
  /** Where the config lay. */
  readonly configFile: string;
  /** Of the config, what tells which project it was; all else stands for itself where the guard asks. */
  readonly config: RawConfig;
}

/**
 * Projects of subfolders that the files of a commit lie in, and whose config the commit, or somebody before it, took
 * away: what they had reserved still holds.
 * @param names of files, as git has them: from the top, with `/`
 */
export async function goneProjects(
  treeTop: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly GoneProject[]> {
  const above = new Set(foldersAbove(names));
  const found = treesOf(treeTop).map(async (top) => {
    const tree = { treeTop: top };
    const gone = (await goneConfigs(tree, signal)).filter((name) => {
      const folder = posix.dirname(name);
      return folder !== '.' && above.has(folder) && !hasConfig(join(top, folder));
    });
    return Promise.all(
      firstOfEach(gone).map(async (name): Promise<GoneProject> => {
        const configFile = join(top, name);
        const text = await git(tree, ['show', `HEAD:${name}`], { signal });
        const { project } = await configOf(text, configFile);
        return { treeTop: top, configFile, config: project === undefined ? {} : { project } };
      }),
    );
  });
  return (await Promise.all(found)).flat();
}

/** Those that the last commit has and the working tree has not. */
async function goneConfigs(tree: WorkingTree, signal: AbortSignal): Promise<readonly string[]> {
  const head = await git(tree, ['rev-parse', '--verify', '--quiet', 'HEAD'], { signal, allowExits: [1] });
  if (head === '') return [];
  const how = ['--name-only', '--no-renames', '--diff-filter=D', '-z', 'HEAD', '--'];
  const named = FILE_NAMES.map((name) => `:(glob)**/${name}`);
  const listed = await git(tree, ['diff', ...how, ...named], { signal });
  return listed.split('\0').filter(Boolean);
}

/** Of one folder, the first that was there counted. */
function firstOfEach(files: readonly string[]): string[] {
  const byFolder = new Map<string, string>();
  for (const name of FILE_NAMES) {
    for (const file of files.filter((each) => posix.basename(each) === name)) {
      const folder = posix.dirname(file);
      if (!byFolder.has(folder)) byFolder.set(folder, file);
    }
  }
  return [...byFolder.values()];
}
