import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;

/**
 * Tests write into memory where Linux has it as a folder, with room, and runs programs from there, as containers often
 * do not: what a store commits would wait for the disk each time, several thousand times in a run.
 */
process.env.TMPDIR ??= isFit() ? IN_MEMORY : tmpdir();

function isFit(): boolean {
  if (process.platform !== 'linux') return false;
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, folder]) => folder === IN_MEMORY);
  const options = mounted?.[3]?.split(',') ?? [];
  if (!options.includes('rw') || options.includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}
