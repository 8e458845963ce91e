import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside, readTextSync } from '@nexus/primitives';
import { isFile } from './module-files.ts';
import { upward } from './package-files.ts';

/** What decides, where git is run in a folder, which programs it runs in turn. */
interface GitFiles {
  /** The config that git reads there, what that includes, and hooks; some of it may not be there. */
  readonly files: readonly string[];
  /** Those of them that are run. */
  readonly run: readonly string[];
  /** Where more may be decided than these tell. */
  readonly says: readonly string[];
}

const MAX_BYTES = 1024 * 1024;
/** Of config files that include each other. */
const MAX_INCLUDED = 100;

/**
 * Finds the repository as git does: the nearest folder upward that has a `.git`, or that is one by what lies in it, as
 * any folder of a repository can be. Such a one, and one that a file `.git` names, comes with a pull.
 * @param top what lies elsewhere came by the user's own hand
 */
export function gitFiles(from: string, top: string): GitFiles {
  for (const folder of upward(from)) {
    const own = join(folder, '.git');
    if (isFile(own)) return withHooks([own], namedBy(own, folder), { top, isOdd: true });
    if (isFolder(own)) return withHooks([], own, { top, isOdd: false });
    if (isFile(join(folder, 'HEAD')) && ['objects', 'refs'].every((each) => isFolder(join(folder, each))))
      return withHooks([join(folder, 'HEAD')], folder, { top, isOdd: true });
  }
  return { files: [], run: [], says: [] };
}

function withHooks(
  first: readonly string[],
  gitDir: string,
  { top, isOdd }: { readonly top: string; readonly isOdd: boolean },
): GitFiles {
  if (!isInside({ path: gitDir, folder: top })) return { files: first, run: [], says: [] };
  const common = namedBy(join(gitDir, 'commondir'), gitDir);
  const hooks = hooksOf(join(common, 'hooks'));
  const configs = ['config', 'config.worktree'].flatMap((name) => [join(gitDir, name), join(common, name)]);
  const seen = new Set<string>();
  const open = new Set<string>();
  const waiting = configs;
  for (let next = waiting.pop(); next !== undefined && seen.size < MAX_INCLUDED; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const { included, isKnown } = readConfig(next);
    waiting.push(...included);
    if (!isKnown) open.add(next);
  }
  const what = (file: string) => relative(top, file);
  return {
    files: [...first, ...seen, ...hooks],
    run: hooks,
    says: [
      ...(isOdd
        ? [`what git runs is decided by ${what(gitDir)} and its hooks, which a pull may change`]
        : []),
      ...[...open].map(
        (file) => `what git runs may be decided by ${what(file)}, not all of which is known here`,
      ),
      ...(waiting.length > 0 ? ['what git runs may be decided by more config than is looked at'] : []),
    ],
  };
}

/** What a file `gitdir: a` or `commondir` names, from its folder; that folder where there is none. */
function namedBy(file: string, folder: string): string {
  try {
    return resolve(
      folder,
      readTextSync(file, MAX_BYTES)
        .trim()
        .replace(/^gitdir:\s*/, ''),
    );
  } catch {
    return folder;
  }
}

/** Those that git has put there as examples end in `.sample`. */
function hooksOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.endsWith('.sample'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Keys by section that run nothing, whatever their values are. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|longpaths)$/,
  remote: /^(?:url|pushurl|fetch|tagopt|prune|gh-resolved)$/,
  branch: /^(?:remote|merge|rebase|pushremote|description|vscode-merge-base)$/,
  user: /^(?:name|email|signingkey|useconfigonly)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote|followtags)$/,
  init: /^defaultbranch$/,
  extensions: /^objectformat$/,
  include: /^path$/,
  includeif: /^path$/,
};

/** What a config includes, on whichever condition, and whether all its lines are such that run nothing. */
function readConfig(file: string): { readonly included: readonly string[]; readonly isKnown: boolean } {
  if (!isFile(file)) return { included: [], isKnown: true };
  const included: string[] = [];
  let [section, isKnown] = ['', true];
  try {
    for (const line of readTextSync(file, MAX_BYTES).split('\n')) {
      if (/^\s*(?:[#;]|$)/.test(line)) continue;
      const [, head] = /^\s*\[([\w-]+)(?:\s+"(?:[^"\\]|\\.)*")?\]\s*$/.exec(line) ?? [];
      if (head !== undefined) {
        section = head.toLowerCase();
        continue;
      }
      const [, key = '', value = ''] = /^\s*([\w-]+)\s*(?:=(.*))?$/.exec(line) ?? [];
      if (!Object.hasOwn(HARMLESS, section) || !HARMLESS[section]?.test(key.toLowerCase())) isKnown = false;
      if (!/^include(?:if)?$/.test(section)) continue;
      const path = value.trim();
      if (/["\\#;%]/.test(path)) isKnown = false;
      included.push(resolve(dirname(file), path.replace(/^~(?=\/)/, homedir())));
    }
  } catch {
    return { included, isKnown: false }; // it is too large, or not for this user
  }
  return { included, isKnown };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
