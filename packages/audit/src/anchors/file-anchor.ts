import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFile } from '../chain/places.ts';
import { type Anchor, rowsIn, rowText } from './anchor.ts';

/** A file of JSON lines, such as on another disk or in a folder that is synchronised elsewhere. */
export function fileAnchor(path: string): Anchor {
  return {
    name: path,
    async add(row) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
