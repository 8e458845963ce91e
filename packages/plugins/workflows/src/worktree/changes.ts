import { git, PLAIN_DIFF } from '@nexus/git';
import type { Place } from './place.ts';

export interface ChangedFile {
  readonly path: string;
  /** Absent for a binary file. */
  readonly added?: number;
  readonly removed?: number;
}

/** What a branch changes since its beginning; plain JSON. */
export interface Changes {
  /** A patch, cut where it is long. */
  readonly diff: string;
  readonly isCut: boolean;
  readonly files: ChangedFile[];
}

export async function changesOf(
  place: Place,
  {
    signal,
    maxDiffChars,
    aroundLines,
  }: {
    readonly signal: AbortSignal;
    readonly maxDiffChars: number;
    /** On each side of a change, where there is room for that; by default three. */
    readonly aroundLines?: number;
  },
): Promise<Changes> {
  const how = [...PLAIN_DIFF, '--no-renames', place.base, 'HEAD', '--'];
  const tree = { treeTop: place.path };
  const wide =
    aroundLines === undefined ? '' : await git(tree, ['diff', `-U${aroundLines}`, ...how], { signal });
  const hasRoom = wide !== '' && wide.length <= maxDiffChars;
  const diff = hasRoom ? wide : await git(tree, ['diff', ...how], { signal });
  const counts = await git(tree, ['diff', '--numstat', '-z', ...how], { signal });
  return {
    diff: diff.slice(0, maxDiffChars),
    isCut: diff.length > maxDiffChars,
    files: counts
      .split('\0')
      .filter((line) => line !== '')
      .map(changedFile),
  };
}

function changedFile(line: string): ChangedFile {
  const [added = '', removed = '', ...rest] = line.split('\t');
  const path = rest.join('\t');
  return added === '-' ? { path } : { path, added: Number(added), removed: Number(removed) };
}
