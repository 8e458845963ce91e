import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import type Libsql from 'libsql';
import { toParameter } from './parameter.ts';
import { explainSqlite } from './sqlite-fault.ts';
import { whileBusy } from './while-busy.ts';

/** kysely's SQLite on libsql, safe to share the file with other processes. */
export function sqliteDialect(database: Libsql.Database, file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => patientDriver(new SqliteDriver({ database: asKysely(database) }), file),
  };
}

/** kysely's driver gives the one connection to one transaction at a time; this one also waits for other processes. */
function patientDriver(driver: SqliteDriver, file: string): Driver {
  const execute = (connection: DatabaseConnection, sql: string) =>
    connection.executeQuery(CompiledQuery.raw(sql)).then(() => undefined);
  return {
    init: () => driver.init(),
    acquireConnection: async () => patientConnection(await driver.acquireConnection(), file),
    // A deferred transaction that reads and then writes fails at once when another process wrote between.
    beginTransaction: (connection, { accessMode }) =>
      execute(connection, accessMode === 'read only' ? 'begin' : 'begin immediate'),
    commitTransaction: (connection) => execute(connection, 'commit'),
    rollbackTransaction: (connection) => execute(connection, 'rollback'),
    savepoint: (...step) => driver.savepoint(...step),
    rollbackToSavepoint: (...step) => driver.rollbackToSavepoint(...step),
    releaseSavepoint: (...step) => driver.releaseSavepoint(...step),
    releaseConnection: () => driver.releaseConnection(),
    destroy: () => driver.destroy(),
  };
}

function patientConnection(connection: DatabaseConnection, file: string): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery) {
      try {
        return await whileBusy(() => connection.executeQuery<Row>(query));
      } catch (error) {
        throw explainSqlite(error, file);
      }
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

function asKysely(database: Libsql.Database): SqliteDatabase {
  return {
    close: () => void database.close(),
    prepare(sql): SqliteStatement {
      const statement = database.prepare(sql);
      return {
        reader: statement.reader,
        all: (parameters) => statement.all(parameters.map(toParameter)).map(withBytes),
        run: (parameters) => statement.run(parameters.map(toParameter)),
        iterate: (parameters) => statement.iterate(parameters.map(toParameter)),
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
