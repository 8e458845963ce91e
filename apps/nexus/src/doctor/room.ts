import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../loaded-config/load-config.ts';
import type { Check } from './check.ts';
import { sizeText } from './size-text.ts';

const MB = 1024 ** 2;
/** Less is soon written by a team at work. */
const LOW_BYTES = 100 * MB;
/** One part in so many, of a disk of any size, but of no more than this. */
const LOW_PARTS = 100;
const ENOUGH_BYTES = 1024 * MB;
/** As much as a page of each table takes, which a disk that is full to the last block does not. */
const TRIAL_BYTES = 64 * 1024;
/** What the check of the data directory says itself, or makes. */
const TOLD_LATER = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'];

export interface Disk {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Whether what servers write still fits on the disk: before anything that would wait for it. */
export const room: Check = {
  name: 'Disk',
  async run(source) {
    const { dataDir } = await loadConfig(source);
    return roomIn(dataDir);
  },
};

export function roomIn(dataDir: string, measure: (folder: string) => Disk = measureDisk): Seen {
  try {
    tryToWrite(dataDir);
    const disk = measure(dataDir);
    const saw = `${sizeText(disk.freeBytes)} of ${sizeText(disk.totalBytes)} are free for ${dataDir}`;
    const least = Math.max(LOW_BYTES, Math.min(disk.totalBytes / LOW_PARTS, ENOUGH_BYTES));
    if (disk.freeBytes >= least) return { status: 'ok', saw };
    const fix =
      'make room on that disk before it is full, or keep less: the check of files names what is large, and `retention` in the config says how long it is kept';
    return { status: 'warning', saw, fix };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { status: 'ok', saw: `${dataDir} is not there yet, and is made now` };
    if (TOLD_LATER.includes(code)) {
      return { status: 'ok', saw: `nothing can be tried in ${dataDir} (${code}); the next line says why` };
    }
    return {
      status: 'failed',
      saw: `${dataDir} takes no more (${code}): runs stand still until it does, and calls that the audit trail can’t take are refused with NEXUS_AUDIT_UNAVAILABLE`,
      fix: 'make room on the disk of that folder; what runs goes on by itself then. Or name another folder by NEXUS_DATA_DIR',
    };
  }
}

type Seen = Awaited<ReturnType<Check['run']>>;

/** @throws what the disk says */
function tryToWrite(folder: string): void {
  const file = join(folder, `.room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(TRIAL_BYTES, 1), { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

function measureDisk(folder: string): Disk {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
