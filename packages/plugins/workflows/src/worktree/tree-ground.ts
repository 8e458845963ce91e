import { readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { GitFailure, git, gitExit } from '@nexus/git';
import type { Place } from './place.ts';
import { treePath } from './tree-path.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** What names are looked up in where the work is a worktree's: its files, and those that the change took away. */
export function treeGround({ path: treeTop, top, base }: Place, signal: AbortSignal) {
  const tree = { treeTop, cwd: top };
  return {
    project: {
      async read(typed: string): Promise<string | undefined> {
        const found = await treePath(top, typed).catch(() => undefined);
        if (found?.kind === 'file') {
          return (await stat(found.path)).size > MAX_FILE_BYTES ? undefined : readFile(found.path, 'utf8');
        }
        if (found === undefined) return undefined;
        // Taken away by the change.
        const name = relative(treeTop, join(top, found.name)).split(sep).join('/');
        return git(tree, ['show', `${base}:${name}`, '--'], { signal }).catch((error: unknown) => {
          if (error instanceof GitFailure) return undefined;
          throw error;
        });
      },
    },
    async search(mode: 'path' | 'text', query: string): Promise<readonly string[]> {
      if (mode === 'path') {
        const listed = await git(tree, ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
          signal,
        });
        return listed.split('\0').filter((file) => file.includes(query));
      }
      for (const at of [[], [base]]) {
        const args = ['grep', '-l', '-I', '-z', '--fixed-strings', '-e', query, ...at, '--'];
        const { output } = await gitExit(tree, args, { signal, allowExits: [1] });
        if (output !== '') return output.split('\0').filter((file) => file !== '');
      }
      return [];
    },
  };
}
