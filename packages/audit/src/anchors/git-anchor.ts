import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anchor, rowsIn, rowText } from './anchor.ts';

const NONE = '0'.repeat(40);
/** Others may put a commit there at the same time. */
const MAX_TRIES = 5;

/**
 * Runs git in a repository.
 * @throws what git said, where it exits neither by 0 nor by one of these
 */
export type RunGit = (
  args: readonly string[],
  allowExits?: readonly number[],
) => Promise<{ readonly exitCode: number; readonly output: string }>;

/**
 * A ref of a repository, whose commits are empty and have a row each as their message. It is pushed, mirrored or protected as
 * any other ref is.
 * @param repository as people know it
 */
export function gitAnchor(repository: string, ref: string, run: RunGit): Anchor {
  const git = async (...args: string[]) => (await run(args)).output.trim();
  const tip = async () => {
    const { exitCode, output } = await run(['rev-parse', '--verify', '--quiet', ref], [1]);
    return exitCode === 0 ? output.trim() : undefined;
  };
  /** Somebody's own work is never added to: a commit of ours takes all of its files away. */
  const assertOurs = async (commit: string, empty: string) => {
    const [tree, ...message] = (await git('log', '-1', '--encoding=UTF-8', '--format=%T%n%B', commit)).split(
      '\n',
    );
    if (tree === empty && rowsIn(message.join('\n')).length === 1) return;
    throw new Error(
      `${ref} has something else than checkpoints: its newest commit, ${commit.slice(0, 12)}, is not one that Nexus put there, so nothing was added; name a ref of its own under audit.anchors, such as refs/nexus/audit`,
    );
  };
  return {
    name: `${ref} of ${repository}`,
    async add(row) {
      const folder = mkdtempSync(join(tmpdir(), 'nexus-anchor-'));
      try {
        const [message, nothing] = [join(folder, 'message'), join(folder, 'nothing')];
        writeFileSync(message, `${rowText(row)}\n`);
        writeFileSync(nothing, '');
        const empty = await git('hash-object', '-w', '-t', 'tree', '--no-filters', '--', nothing);
        for (let tries = 1; ; tries += 1) {
          const parent = await tip();
          if (parent !== undefined) await assertOurs(parent, empty);
          const after = parent === undefined ? [] : ['-p', parent];
          const made = await git('commit-tree', empty, ...after, '-F', message);
          try {
            await git('update-ref', '--no-deref', '-m', 'audit checkpoint', ref, made, parent ?? NONE);
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
      return rowsIn(
        await git('log', '--encoding=UTF-8', '--reverse', '--first-parent', '--format=%B', ref, '--'),
      );
    },
  };
}
