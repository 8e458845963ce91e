import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@nexus/plugin-sdk';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import type Libsql from 'libsql';
import type { KeptFile } from './kept-file.ts';
import { logFile } from './log-file.ts';
import type { Opened } from './opened.ts';
import { toParameter } from './parameter.ts';
import { explainSqlite } from './sqlite-fault.ts';
import { statementCache } from './statement-cache.ts';
import { takeTurns } from './take-turns.ts';
import { whileBusy } from './while-busy.ts';

/** The file of a database, which other processes share. */
export interface SharedFile {
  readonly file: string;
  readonly kept: KeptFile;
  /** How long another process's lock is waited for; by default as long as servers do. */
  readonly lockWaitMs?: number | undefined;
}

/** What is committed and not on disk yet, and what of it is waited for. */
interface Unwritten {
  /** Whether the transaction that is open has something for the disk. */
  hasChanged: boolean;
  /** Whether it is answered before the disk has it. */
  isLeft: boolean;
}

const NOTHING: Unwritten = { hasChanged: false, isLeft: false };

/** kysely's SQLite on libsql, safe to share the file with other processes. */
export function sqliteDialect(
  database: Libsql.Database,
  shared: SharedFile,
): Pick<Opened, 'dialect'> & Required<Pick<Opened, 'withoutDisk'>> {
  const unwritten: Unwritten = { ...NOTHING };
  const dialect = {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db: ConstructorParameters<typeof SqliteIntrospector>[0]) =>
      new SqliteIntrospector(db),
    createDriver: () => sharedFileDriver(database, shared, unwritten),
  };
  return {
    dialect,
    withoutDisk(trx) {
      if (!trx.isTransaction) throw new Error('Only a transaction is left to the disk, from within it.');
      unwritten.isLeft = true;
    },
  };
}

/**
 * kysely's driver gives the one connection to one transaction at a time, and wakes all who wait for it each
 * time; this one hands it on in the order of asking, and also waits for other processes. It takes the write
 * lock before a write begins, and only by `exec`: a statement of libsql that fails as busy stays in progress
 * and makes every later commit of the connection fail.
 */
function sharedFileDriver(
  database: Libsql.Database,
  { file, kept, lockWaitMs }: SharedFile,
  unwritten: Unwritten,
): Driver {
  let isClosed = false;
  const driver = new SqliteDriver({ database: asKysely(database) });
  const turns = takeTurns();
  const log = logFile(file);
  /** The native part ends the process when a database is used that is closed, as by who was in the middle of something. */
  const assertOpen = () => {
    if (isClosed) throw new ToolError('NEXUS_SHUTTING_DOWN', 'The store is closed: the server is stopping.');
  };
  // Nothing has begun yet: whoever only reads need not wait for another process as well, which may hang.
  const letOthersGo = async (ms: number) => {
    turns.done();
    await sleep(ms);
    await turns.next();
  };
  const execute = async (sql: string, pause?: (ms: number) => Promise<void>) => {
    try {
      await whileBusy(
        () => {
          assertOpen();
          database.exec(sql);
        },
        pause,
        lockWaitMs,
      );
    } catch (error) {
      throw explainSqlite(error, file, lockWaitMs);
    }
  };
  // A full disk, for one, makes SQLite roll back by itself; a second time would be an error that hides the first.
  const rollBack = async () => {
    if (!isClosed && database.inTransaction) await execute('rollback');
  };
  let isWriting = false;
  // Others may have had their turn until it has begun.
  const beginReading = async () => {
    await execute('begin', letOthersGo);
    isWriting = false;
  };
  /** Whether the file is there is asked at the end, which alone makes anything of what is written. */
  const beginWriting = async () => {
    await execute('begin immediate', letOthersGo);
    isWriting = true;
    Object.assign(unwritten, NOTHING);
  };
  /** What was read is none the worse for a file that is gone by now. */
  const commit = async () => {
    if (isWriting) kept.assertThere();
    await execute('commit');
    if (!isWriting || !unwritten.hasChanged || unwritten.isLeft) return;
    try {
      log.sync();
    } catch (error) {
      throw explainSqlite(error, file, lockWaitMs);
    }
  };
  const inOwnTransaction = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await beginWriting();
    try {
      const result = await work();
      await commit();
      return result;
    } catch (error) {
      await rollBack();
      throw error;
    }
  };
  const sharedFile = (connection: DatabaseConnection): DatabaseConnection => ({
    async executeQuery<Row>(query: CompiledQuery) {
      const run = async () => {
        const result = await whileBusy(
          () => {
            assertOpen();
            return connection.executeQuery<Row>(query);
          },
          undefined,
          lockWaitMs,
        );
        unwritten.hasChanged ||= changes(query, result);
        return result;
      };
      try {
        return await (database.inTransaction || !mayWrite(query) ? run() : inOwnTransaction(run));
      } catch (error) {
        throw explainSqlite(error, file, lockWaitMs);
      }
    },
    streamQuery(query, chunkSize) {
      unwritten.hasChanged ||= mayWrite(query);
      return connection.streamQuery(query, chunkSize);
    },
  });
  let shared: DatabaseConnection | undefined;
  return {
    init: () => driver.init(),
    async acquireConnection() {
      await turns.next();
      shared ??= sharedFile(await driver.acquireConnection());
      return shared;
    },
    // A deferred transaction that reads and then writes fails at once when another process wrote between.
    beginTransaction: (_connection, { accessMode }) =>
      accessMode === 'read only' ? beginReading() : beginWriting(),
    commitTransaction: commit,
    rollbackTransaction: rollBack,
    savepoint: (...step) => driver.savepoint(...step),
    rollbackToSavepoint: (...step) => driver.rollbackToSavepoint(...step),
    releaseSavepoint: (...step) => driver.releaseSavepoint(...step),
    releaseConnection: async () => turns.done(),
    destroy() {
      isClosed = true;
      kept.close();
      log.close();
      return driver.destroy();
    },
  };
}

/**
 * Raw SQL counts as a write unless it begins as something that reads, or that no transaction may hold. What begins
 * with names for queries writes where a word of it says so.
 */
function mayWrite({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return false;
  if (/^\s*with\b/i.test(sql)) return /\b(insert|update|delete)\b/i.test(sql);
  return !/^\s*(select|pragma|explain|vacuum|attach|detach|savepoint|release|rollback)\b/i.test(sql);
}

/** Whether a statement has changed anything; of raw SQL nobody knows. */
function changes(query: CompiledQuery, { numAffectedRows, rows }: QueryResult<unknown>): boolean {
  if (!mayWrite(query)) return false;
  if (!COUNTED.has(query.query.kind)) return true;
  return numAffectedRows === undefined ? rows.length > 0 : numAffectedRows > 0n;
}

const COUNTED: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/** The native database as kysely takes one. */
export function asKysely(database: Libsql.Database): SqliteDatabase {
  const statements = statementCache(database);
  return {
    close: () => void database.close(),
    prepare(sql): SqliteStatement {
      const { statement, isReader } = statements.get(sql);
      const cached = <Result>(work: () => Result): Result => {
        try {
          return work();
        } catch (error) {
          statements.forget(sql);
          throw error;
        }
      };
      return {
        reader: isReader,
        all: (parameters) => cached(() => statement.all(parameters.map(toParameter)).map(withBytes)),
        run: (parameters) => cached(() => statement.run(parameters.map(toParameter))),
        // Read at its own pace, so that another may ask the same meanwhile.
        iterate: (parameters) => database.prepare(sql).iterate(parameters.map(toParameter)),
      };
    },
  };
}

/** libsql reads a blob as ArrayBuffer; Postgres gives a Uint8Array, which is what plugins see. */
function withBytes(row: unknown): unknown {
  const columns = row as Record<string, unknown>; // every row of libsql's `all` is an object by column
  for (const [name, value] of Object.entries(columns)) {
    if (value instanceof ArrayBuffer) columns[name] = new Uint8Array(value);
  }
  return columns;
}
