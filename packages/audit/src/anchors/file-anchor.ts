import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFile } from '../chain/places.ts';
import { type Anchor, rowsIn, rowText } from './anchor.ts';

/** As each row begins, whole or not. */
const BEGINNING = '{"verifier":';

/** A file of JSON lines, such as on another disk or in a folder that is synchronised elsewhere. */
export function fileAnchor(path: string): Anchor {
  return {
    name: path,
    async add(row) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      assertOurs(path);
      // Half a row may stand there since a disk was full: this one begins a line of its own.
      appendFileSync(path, `\n${rowText(row)}\n`, { mode: 0o600 });
    },
    async read() {
      if (existsSync(path) && !isFile(path)) throw new Error('it is no file');
      try {
        return rowsIn(readFileSync(path, 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
  };
}

/** @throws {Error} where somebody has something else there */
function assertOurs(path: string): void {
  if (!isFile(path)) return;
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(BEGINNING.length + 1);
    const text = start.toString('utf8', 0, readSync(fd, start, 0, start.length, 0)).trimStart();
    if (text.startsWith(BEGINNING) || BEGINNING.startsWith(text)) return;
  } finally {
    closeSync(fd);
  }
  throw new Error(
    'it has something else than checkpoints, so nothing was added; name a file of its own under audit.anchors',
  );
}
