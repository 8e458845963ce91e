import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFile } from '../chain/places.ts';

/** A place out of the reach of who can write the trail, which has its checkpoints one after the other. */
export interface Anchor {
  /** As people know it, such as a path. */
  readonly name: string;
  /** @throws what the place says; a checkpoint that is not anchored is tried again with the next */
  add(note: string, verifier: string): Promise<void>;
  /** What was anchored, the oldest first, with the key that was told of beside it. */
  read(): Promise<readonly { readonly note: string; readonly verifier: string }[]>;
}

interface Row {
  readonly verifier: string;
  readonly note: string;
}

/** A file of JSON lines, such as on another disk or in a folder that is synchronised elsewhere. */
export function fileAnchor(path: string): Anchor {
  return {
    name: path,
    async add(note, verifier) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // Half a row may stand there since a disk was full: this one begins a line of its own.
      appendFileSync(path, `\n${JSON.stringify({ verifier, note } satisfies Row)}\n`, { mode: 0o600 });
    },
    async read() {
      let text: string;
      if (existsSync(path) && !isFile(path)) throw new Error('it is no file');
      try {
        text = readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.flatMap(rowsIn);
    },
  };
}

/** Half a row is none: nobody was told that it stands there. */
function rowsIn(line: string): Row[] {
  try {
    const { verifier, note } = JSON.parse(line) as Partial<Row>;
    return typeof verifier === 'string' && typeof note === 'string' ? [{ verifier, note }] : [];
  } catch {
    return [];
  }
}
