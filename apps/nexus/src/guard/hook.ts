import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { git, type WorkingTree } from '@nexus/git';

/** The first lines of a hook of ours, by which it is known again. */
const MARK = `#!/bin/sh
# Made by \`nexus guard install\`; \`nexus guard remove\` takes it away.
`;

/** A repository's own pre-commit hook. */
export interface HookPlace {
  readonly file: string;
  /** Where the user's settings keep one folder of hooks for all repositories. */
  readonly isForAll: boolean;
}

/** Where git looks for the hook; `core.hooksPath` says so, or else it is the folder of the repository. */
export async function findHook(tree: WorkingTree, signal: AbortSignal): Promise<HookPlace> {
  const ask = (...args: string[]) => git(tree, args, { signal, allowExits: [1] });
  const settings = (await ask('config', '--show-scope', '--null', '--get-all', 'core.hooksPath')).split('\0');
  // Pairs of a scope and a value, of which the last counts; those of this very call are no setting of the user's.
  const pairs = settings.flatMap((scope, at) =>
    at % 2 === 0 && scope !== '' ? [{ scope, path: settings[at + 1] ?? '' }] : [],
  );
  const set = pairs.findLast(({ scope }) => scope !== 'command');
  if (set) {
    const isForAll = set.scope !== 'local' && set.scope !== 'worktree';
    return { file: join(resolve(tree.treeTop, set.path), 'pre-commit'), isForAll };
  }
  const common = await ask('rev-parse', '--git-common-dir');
  const folder = resolve(tree.treeTop, common.replace(/\n$/, ''));
  return { file: join(folder, 'hooks', 'pre-commit'), isForAll: false };
}

/** What the hook runs: git gives the names, since it alone knows which index is about to be committed. */
export function hookLine(program: readonly string[]): string {
  const nexus = program.map((part) => `'${part.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return `git diff --cached --name-only --no-renames -z | ${nexus} guard check --stdin`;
}

/** What a hook at this place is to us. */
export function stateOf(file: string): 'none' | 'ours' | 'another' {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return 'none';
  return found.isFile() && readFileSync(file, 'utf8').startsWith(MARK) ? 'ours' : 'another';
}

/** @throws {Error} where a hook came there meanwhile */
export function writeHook(file: string, program: readonly string[]): void {
  const [, script = ''] = program;
  const gone =
    "echo 'nexus guard: Nexus has moved, so nothing was checked. Run nexus guard install again.' >&2";
  const text = `${MARK}[ -e '${script.replaceAll("'", String.raw`'\''`)}' ] || { ${gone}; exit 0; }
${hookLine(program)}
`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755, flag: 'wx' });
}

export function removeHook(file: string): void {
  rmSync(file);
}
