import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isInside } from '@nexus/primitives';

/**
 * What a normalised glob is of in the checkout that the server works in: itself, and where a link is on its way, the
 * place in the project that this leads to. Both count: the link is a file of its own, and other checkouts may lack it.
 * What leads out of the project, and what a wildcard stands for, is followed no further.
 */
export function throughLinks(glob: string, projectRoot: string): readonly string[] {
  const segments = glob.split('/');
  let place = realOf(projectRoot);
  if (place === undefined) return [glob];
  const root = place;
  let taken = 0;
  // Folders are called `[id]` and `(group)`, too: what is there under that name is meant.
  for (const segment of segments) {
    const next = realOf(join(place, segment));
    if (next === undefined) break;
    place = next;
    taken += 1;
  }
  if (!isInside({ path: place, folder: root })) return [glob];
  const inside = relative(root, place);
  const rest = segments.slice(taken);
  const real = [...(inside === '' ? [] : inside.split(sep)), ...rest].join('/') || '**';
  // Where case does not count, the place is spelt as it is on the disk.
  return real.toUpperCase() === glob.toUpperCase() ? [glob] : [glob, real];
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
