import { visibleName } from '@nexus/primitives';
import { createPause } from '../files/pause.ts';

const MOST_FOLDERS = 40;
const MOST_NAMES = 30;

/**
 * Where many files lie, in a line: the files of the folder itself, and how many are in each folder of it, the fullest
 * first.
 * @param files relative to the folder, with forward slashes
 */
export async function layoutOf(files: readonly string[]): Promise<string> {
  const pause = createPause();
  const own: string[] = [];
  const folders = new Map<string, number>();
  for (const file of files) {
    const end = file.indexOf('/');
    if (end < 0) own.push(file);
    else folders.set(file.slice(0, end + 1), (folders.get(file.slice(0, end + 1)) ?? 0) + 1);
    await pause();
  }
  const fullest = [...folders].sort(([, a], [, b]) => b - a);
  const shown = [
    named(own.map(visibleName), MOST_NAMES),
    named(
      fullest.map(([folder, count]) => `${visibleName(folder)} (${count})`),
      MOST_FOLDERS,
    ),
  ];
  return `All in all: ${shown.filter((each) => each !== '').join('; ')}. The glob /* gives a folder’s own files.`;
}

function named(names: readonly string[], most: number): string {
  const left = names.length - most;
  return [...names.slice(0, most), ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
