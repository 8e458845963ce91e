import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;

/**
 * Where unit tests write: into memory, where Linux has it as a folder with room from which programs may be run. On a
 * disk each commit of a store waits, several thousand times in a run.
 */
export function temporaryFolder(): string {
  return process.env.TMPDIR ?? (isFit() ? IN_MEMORY : tmpdir());
}

function isFit(): boolean {
  if (process.platform !== 'linux') return false;
  const options = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, folder]) => folder === IN_MEMORY)?.[3]
    ?.split(',');
  if (!options?.includes('rw') || options.includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}
