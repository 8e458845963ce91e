import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitOptions, git, gitExit } from '@nexus/git';
import { type Anchor, rowsIn, rowText } from './anchor.ts';

const NONE = '0'.repeat(40);
/** Others may put a commit there at the same time. */
const MAX_TRIES = 5;
const PATIENCE_MS = 30_000;

/**
 * A ref of a repository, whose commits are empty and have a row each as their message. It is pushed, mirrored or protected as
 * any other ref is.
 * @param repository the folder that holds `.git`
 */
export function gitAnchor(repository: string, ref: string): Anchor {
  const tree = { treeTop: repository };
  const options = (): GitOptions => ({ signal: AbortSignal.timeout(PATIENCE_MS) });
  const tip = async () => {
    const args = ['rev-parse', '--verify', '--quiet', ref];
    const { exitCode, output } = await gitExit(tree, args, { ...options(), allowExits: [1] });
    return exitCode === 0 ? output.trim() : undefined;
  };
  return {
    name: `${ref} of ${repository}`,
    async add(row) {
      const folder = mkdtempSync(join(tmpdir(), 'nexus-anchor-'));
      try {
        const [message, nothing] = [join(folder, 'message'), join(folder, 'nothing')];
        writeFileSync(message, `${rowText(row)}\n`);
        writeFileSync(nothing, '');
        const hash = ['hash-object', '-w', '-t', 'tree', '--no-filters', '--', nothing];
        const empty = (await git(tree, hash, options())).trim();
        for (let tries = 1; ; tries += 1) {
          const parent = await tip();
          const after = parent === undefined ? [] : ['-p', parent];
          const made = (await git(tree, ['commit-tree', empty, ...after, '-F', message], options())).trim();
          try {
            await git(tree, ['update-ref', '-m', 'audit checkpoint', ref, made, parent ?? NONE], options());
            return;
          } catch (error) {
            if (tries === MAX_TRIES || (await tip()) === parent) throw error;
          }
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    async read() {
      if ((await tip()) === undefined) return [];
      const args = ['log', '--reverse', '--first-parent', '--format=%B', ref, '--'];
      return rowsIn(await git(tree, args, options()));
    },
  };
}
