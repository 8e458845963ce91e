import { chmodSync, closeSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { keepFile } from './kept-file.ts';
import type { Opened } from './opened.ts';
import { sqliteAhead } from './sqlite-ahead.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { explainSqliteOpen } from './sqlite-fault.ts';
import { whileBusy } from './while-busy.ts';

/** What was answered survives a power cut, as with `synchronous = FULL`: see `logFile`, which waits for the disk. */
const PRAGMAS = ['busy_timeout = 10', 'journal_mode = WAL', 'synchronous = NORMAL', 'foreign_keys = ON'];
/** Of a file that has no table yet: it can shrink then. One that has is written anew for it, see `shrinkSqlite`. */
const OF_A_NEW_FILE = ['busy_timeout = 10', 'auto_vacuum = INCREMENTAL'];

/**
 * @param how lockWaitMs: how long another process's lock is waited for; undefined: as long as servers do. onLost: told
 *   once, where the file is taken away while it is open
 * @throws {ToolError} NEXUS_STORE_UNAVAILABLE with the path and the fix
 */
export async function openSqlite(
  dataDir: string,
  {
    lockWaitMs,
    onLost,
  }: { lockWaitMs?: number | undefined; onLost?: ((reason: string) => void) | undefined },
): Promise<Omit<Opened, 'signals'>> {
  const file = join(dataDir, 'nexus.sqlite');
  let database: Database.Database | undefined;
  try {
    const isNew = makePrivate(dataDir, file);
    const opened = new Database(file);
    database = opened;
    for (const pragma of [...(isNew ? OF_A_NEW_FILE : []), ...PRAGMAS])
      await whileBusy(() => opened.exec(`PRAGMA ${pragma}`), undefined, lockWaitMs);
    await whileBusy(() => opened.exec('SELECT count(*) FROM sqlite_master'), undefined, lockWaitMs);
    const kept = keepFile(file, onLost);
    return { ...sqliteDialect(opened, { file, kept, lockWaitMs }), kept, ...sqliteAhead(file, kept) };
  } catch (error) {
    database?.close();
    throw explainSqliteOpen(error, file, lockWaitMs);
  }
}

/**
 * SQLite gives the log files the mode of the database file, so that one must be private from the start. A file that is
 * there is never opened but by SQLite: to close it again would let go of all locks that this process has on it, by any
 * connection (fcntl(2), F_SETLK), and whoever closes it next takes itself for the last and takes the log away.
 * @returns whether there is nothing in it yet
 */
function makePrivate(dataDir: string, file: string): boolean {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const found = statSync(file, { throwIfNoEntry: false }) ?? made(file);
  if (found.isDirectory()) throw Object.assign(new Error(`EISDIR: ${file}`), { code: 'EISDIR' });
  const { mode, size } = found;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(file, 0o600);
  return size === 0;
}

function made(file: string): Stats {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return statSync(file);
}
