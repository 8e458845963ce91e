import { ToolError } from '@nexus/plugin-sdk';
import { LOCK_WAIT_MS } from './while-busy.ts';

/** What went wrong and how to mend it, by the start of an SQLite result code or by errno. */
const FAULTS = {
  SQLITE_NOTADB:
    'is not an SQLite database. It was left as it is: move it away to start empty, or restore a backup.',
  SQLITE_CORRUPT:
    'is damaged. It was left as it is: restore a backup, try `sqlite3 <file> .recover`, or move it away to start empty.',
  SQLITE_FULL: 'can’t grow: the disk is full. Free some space, then try again.',
  SQLITE_READONLY:
    'can’t be written. Make the file, those beside it (-wal, -shm) and its directory writable, or set NEXUS_DATA_DIR to another place.',
  SQLITE_CANTOPEN: 'can’t be opened. Make its directory writable, or set NEXUS_DATA_DIR to another place.',
  SQLITE_IOERR:
    'can’t be read or written: the disk reports an error. Check the disk, or set NEXUS_DATA_DIR to another place.',
  ENOSPC: 'can’t be made: the disk is full. Free some space, then try again.',
  EACCES:
    'can’t be opened: no permission. Make the file and its directory writable, or set NEXUS_DATA_DIR to another place.',
  EPERM:
    'can’t be opened: no permission. Make the file and its directory writable, or set NEXUS_DATA_DIR to another place.',
  EROFS: 'is on a read-only file system. Set NEXUS_DATA_DIR to a writable place.',
  ENOTDIR: 'can’t be made: a part of its path is a file. Set NEXUS_DATA_DIR to a directory.',
  EEXIST: 'can’t be made: a part of its path is a file. Set NEXUS_DATA_DIR to a directory.',
  EISDIR: 'is a directory. Move it away, or set NEXUS_DATA_DIR to another place.',
} as const;

/** After which nobody knows what is in the file. */
const UNKNOWN_AFTER = /^SQLITE_(IOERR|CORRUPT)/;

/** The error as the caller can mend it; an error that is not about the file itself (a constraint, say) stays. */
export function explainSqlite(error: unknown, file: string, lockWaitMs = LOCK_WAIT_MS): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (code.startsWith('SQLITE_BUSY')) return unavailable(file, stayedLocked(lockWaitMs), error);
  const fault = Object.entries(FAULTS).find(([prefix]) => code.startsWith(prefix));
  return fault ? unavailable(file, fault[1], error) : error;
}

/** For the opening itself, where every failure means that there is no store. */
export function explainSqliteOpen(error: unknown, file: string, lockWaitMs?: number): unknown {
  const explained = explainSqlite(error, file, lockWaitMs);
  if (explained !== error) return explained;
  return unavailable(file, 'can’t be opened. See the reason, or set NEXUS_DATA_DIR to another place.', error);
}

function stayedLocked(lockWaitMs: number): string {
  return `stayed locked by another process for ${lockWaitMs / 1000} s. End the process that holds it, then try again.`;
}

function unavailable(file: string, fault: string, cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new ToolError('NEXUS_STORE_UNAVAILABLE', `The database ${file} ${fault} (${reason})`, {
    cause,
    ...(UNKNOWN_AFTER.test(code) ? {} : { detail: { wasWritten: false } }),
  });
}
