import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import type { Ahead } from './ahead.ts';
import type { KeptFile } from './kept-file.ts';
import { toParameter } from './parameter.ts';
import { explainSqlite } from './sqlite-fault.ts';
import { statementCache } from './statement-cache.ts';
import { whileBusy } from './while-busy.ts';

/**
 * No wait for the disk: a commit is in the log at once, which outlives the process. Neither does it empty the log,
 * which is left to the other connection, nor block the process by waiting for a lock that this process may hold.
 */
const PRAGMAS = ['busy_timeout = 0', 'synchronous = NORMAL', 'wal_autocheckpoint = 0', 'foreign_keys = ON'];
const PAUSE_MS = 2;

/** By a connection of its own, so that neither the line nor a transaction of the other one is in the way. */
export function sqliteAhead(file: string, kept: KeptFile): Ahead {
  let opened: { database: Database.Database; statements: ReturnType<typeof statementCache> } | undefined;
  let isClosed = false;

  function open() {
    const database = new Database(file);
    for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
    return { database, statements: statementCache(database) };
  }

  /** At one go: no other statement of this process can meet the lock. */
  function write(sql: string, parameters: readonly unknown[]): void {
    if (isClosed) return;
    kept.assertThere();
    opened ??= open();
    const { database, statements } = opened;
    database.exec('begin immediate');
    try {
      statements.get(sql).statement.run(parameters.map(toParameter));
      database.exec('commit');
    } catch (error) {
      statements.forget(sql);
      if (database.inTransaction) database.exec('rollback');
      throw error;
    }
  }

  return {
    async ahead({ sql, parameters }) {
      try {
        await whileBusy(
          () => write(sql, parameters),
          () => sleep(PAUSE_MS),
        );
      } catch (error) {
        throw explainSqlite(error, file);
      }
    },
    async closeAhead() {
      isClosed = true;
      opened?.database.close();
      opened = undefined;
    },
  };
}
