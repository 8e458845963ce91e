import type Libsql from 'libsql';

/** What a program asks again and again; those beyond are prepared anew. */
const MAX_STATEMENTS = 300;

/** A statement as it was prepared. */
export interface Prepared {
  readonly statement: Libsql.Statement;
  /** Asked once: it is a call of the native part. */
  readonly isReader: boolean;
}

/** Statements of one connection, by their text: to prepare one takes longer than to run it. */
export interface StatementCache {
  get(sql: string): Prepared;
  /** One that failed may still be in progress, and is not used again. */
  forget(sql: string): void;
}

export function statementCache(database: Libsql.Database): StatementCache {
  const statements = new Map<string, Prepared>();
  return {
    get(sql) {
      const known = statements.get(sql);
      if (known) {
        // Last in the order of use.
        statements.delete(sql);
        statements.set(sql, known);
        return known;
      }
      const statement = database.prepare(sql);
      const prepared = { statement, isReader: statement.reader };
      statements.set(sql, prepared);
      const [oldest] = statements.keys();
      if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
      return prepared;
    },
    forget(sql) {
      statements.delete(sql);
    },
  };
}
