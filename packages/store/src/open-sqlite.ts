import { chmodSync, closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from 'kysely';
import Database from 'libsql';
import { sqliteDialect } from './sqlite-dialect.ts';
import { explainSqliteOpen } from './sqlite-fault.ts';
import { whileBusy } from './while-busy.ts';

/** FULL syncs the log at every commit: what was answered survives a power cut. */
const PRAGMAS = ['busy_timeout = 10', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];

/** @throws {ToolError} NEXUS_STORE_UNAVAILABLE with the path and the fix */
export async function openSqlite(dataDir: string): Promise<Dialect> {
  const file = join(dataDir, 'nexus.sqlite');
  let database: Database.Database | undefined;
  try {
    makePrivate(dataDir, file);
    const opened = new Database(file);
    database = opened;
    for (const pragma of PRAGMAS) await whileBusy(() => opened.exec(`PRAGMA ${pragma}`));
    await whileBusy(() => opened.exec('SELECT count(*) FROM sqlite_master'));
    return sqliteDialect(opened, file);
  } catch (error) {
    database?.close();
    throw explainSqliteOpen(error, file);
  }
}

/** SQLite gives the log files the mode of the database file, so that one must be private from the start. */
function makePrivate(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const handle = openSync(file, 'a', 0o600);
  const { mode } = fstatSync(handle);
  closeSync(handle);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(file, 0o600);
}
