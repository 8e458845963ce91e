import { relative, sep } from 'node:path';
import { type Containment, isInside } from './is-inside.ts';

/**
 * Whether a path is git's own folder or lies in one: settings there may hold credentials, and run code. Where the
 * folder that is worked in lies itself in one, as some worktrees do, only what is below it counts. By its text alone:
 * hand in real paths.
 */
export function isOfGit({ path, folder }: Containment): boolean {
  const looked = isInside({ path, folder }) ? relative(folder, path) : path;
  return looked.split(sep).some(isNamedAsGits);
}

/** As file systems that know neither case, nor trailing dots, nor invisible marks would read it. */
function isNamedAsGits(part: string): boolean {
  const plain = part
    .normalize('NFKC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u2060\u206a-\u206f\ufeff]/g, '')
    .replace(/(::?\$[\s\S]*|(?<![. ])[. ]+)$/, '')
    .toLowerCase();
  return plain === '.git' || /^git~\d+$/.test(plain);
}
