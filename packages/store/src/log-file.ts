import { closeSync, fdatasyncSync, openSync } from 'node:fs';

/** The log of a database file, as what has the disk take what is committed. */
export interface LogFile {
  /**
   * Returns once the disk has all that is in it.
   * @throws with SQLite’s code for it, where the disk does not take it
   */
  sync(): void;
  close(): void;
}

/**
 * SQLite itself waits for the disk while it holds the write lock, and every other process waits with it, for as long as a
 * busy disk takes: also for a write that is to wait for nothing. So each commit goes to the log without that, which gives
 * the lock back, and waits for the disk after. SQLite locks nothing by the log's file, so to close it lets go of no lock.
 */
export function logFile(file: string): LogFile {
  let descriptor: number | undefined;
  return {
    sync() {
      try {
        // It comes with the first write. While the database is open it is the same; see `keepFile`.
        descriptor ??= openSync(`${file}-wal`, 'r+');
        fdatasyncSync(descriptor);
      } catch (error) {
        throw Object.assign(new Error(`the log ${file}-wal was not taken by the disk`, { cause: error }), {
          code: 'SQLITE_IOERR_FSYNC',
        });
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
