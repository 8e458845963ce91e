import { isInside } from '@nexus/primitives';
import { createPause } from '../files/pause.ts';
import type { SourceParsing } from '../parsing/source-parsing.ts';
import type { Ripgrep } from '../ripgrep/run.ts';
import type { FolderWatch } from './folder-watch.ts';

/** Each costs the kernel and this process a kilobyte, and one step through them a microsecond at each listing. */
const MAX_WATCHED_FOLDERS = 20_000;

/**
 * Watches from the root down, but for Nexus's own folders, each folder before its entries are read: what is made meanwhile is not missed.
 * @returns the folders that are watched
 * @throws where they can't be read in time, or are too many
 */
export async function watchBelow(
  watch: FolderWatch,
  { root, ripgrep, parsing }: { root: string; ripgrep: Ripgrep; parsing: SourceParsing },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const pause = createPause();
  const watched = new Set<string>();
  for (let level: readonly string[] = [root]; level.length > 0; ) {
    for (const folder of level) {
      watch.add(folder);
      watched.add(folder);
      await pause();
    }
    const limit = MAX_WATCHED_FOLDERS - watched.size;
    const inside = await parsing.folders({ root, folders: level, exclude: ripgrep.exclude, limit }, signal);
    if (!inside) throw new Error('their entries could not be read in time');
    if (inside.length > limit) throw new Error(`there are more than ${MAX_WATCHED_FOLDERS}`);
    level = inside.filter(
      (folder) => !ripgrep.privatePaths.some((own) => isInside({ path: folder, folder: own })),
    );
  }
  return watched;
}
