import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';

/** Long enough for the answer that a row is about to have left, and for busy times to share one write. */
const GATHER_MS = 50;

/** Larger or older, and it is put aside in the place of the one that was put aside before. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_AGE_MS = 30 * 86_400_000;

/** Rows on their way to a JSONL file, in the order they were added; as objects, which hold less than their text. */
export interface JsonLinesFile {
  add(row: object): void;
  /** Writes what is not written yet. */
  flush(): void;
}

/** A full disk must not fail the call that a row is about, so that is logged. */
export function jsonLinesFile(file: string, log: Log): JsonLinesFile {
  let rows: object[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (rows.length === 0) return;
    const added = rows;
    rows = [];
    try {
      const text = added.map((row) => `${JSON.stringify(row)}\n`).join('');
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (isFull(file)) renameSync(file, `${file}.1`);
      appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      log.error('events could not be recorded', { file, err: error });
    }
  };
  return {
    add(row) {
      rows.push(row);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    flush,
  };
}

function isFull(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return false;
  // Where a file system keeps no time of birth, its size alone tells.
  const isOld = found.birthtimeMs > 0 && Date.now() - found.birthtimeMs > MAX_AGE_MS;
  return found.size > MAX_BYTES || isOld;
}
