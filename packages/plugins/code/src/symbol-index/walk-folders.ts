import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';

/** Files whose change changes which files count. */
export const IGNORE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore']);

interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/**
 * Visits the folders that .gitignore allows, each before its entries are read: a visitor that starts to
 * watch there misses nothing. A folder that rg would skip for other reasons may be visited too.
 */
export async function walkFolders(
  root: string,
  exclude: readonly string[],
  visit: (folder: string) => void,
): Promise<ReadonlySet<string>> {
  const { default: ignore } = await import('ignore');
  const excluded = ignore().add([...exclude]);
  const visited = new Set<string>();
  const isIgnored = (folder: string, rules: readonly Rules[]): boolean => {
    if (excluded.ignores(pathFrom(root, folder))) return true;
    // The innermost file that says something decides, as in git.
    for (const { folder: base, matcher } of rules) {
      const { ignored, unignored } = matcher.test(pathFrom(base, folder));
      if (ignored || unignored) return ignored;
    }
    return false;
  };
  const walk = async (folder: string, outer: readonly Rules[]): Promise<void> => {
    visit(folder);
    visited.add(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const own = entries.some(({ name }) => name === '.gitignore')
      ? await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
      : '';
    const rules = own === '' ? outer : [{ folder, matcher: ignore().add(own) }, ...outer];
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
    await Promise.all(folders.filter((each) => !isIgnored(each, rules)).map((each) => walk(each, rules)));
  };
  await walk(root, []);
  return visited;
}

/** As .gitignore patterns see a folder. */
function pathFrom(base: string, folder: string): string {
  return `${relative(base, folder).split(sep).join('/')}/`;
}
