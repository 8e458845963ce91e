import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Larger, and it is put aside in the place of the one that was put aside before. */
const MAX_BYTES = 5 * 1024 * 1024;

/** What the servers of a project log, whichever host started them. */
export function logFileIn(dataDir: string): string {
  return join(dataDir, 'logs', 'nexus.jsonl');
}

/** Of a log file, the one that was put aside before it. */
export function olderLogFile(file: string): string {
  return `${file}.1`;
}

/**
 * Appends lines to a log file, each at once: a crash loses none. One that can't be written stands on stderr all the same,
 * where the log goes first.
 */
export function logAppender(file: string, maxBytes = MAX_BYTES): (line: string) => void {
  return (line) => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (size > maxBytes) renameSync(file, olderLogFile(file));
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      return;
    }
  };
}
