import type Libsql from 'libsql';
import { type Statement, statementReader, type Table } from './statement.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What a transaction did to one row. */
export interface RowChange {
  readonly table: Table;
  readonly key: string;
  /** As it is then; null where it is gone. */
  readonly row: Row | null;
  readonly keyValues: readonly unknown[];
}

/** One transaction of one connection. */
export interface Transaction {
  readonly id: number;
  readonly changes: RowChange[];
  readonly locks: Set<string>;
  readonly messages: (readonly [channel: string, payload: string])[];
  /** A statement of it failed: on Postgres it takes nothing but its end. */
  isFailed: boolean;
  isOver: boolean;
  /** Whose end it waits for. */
  waitsFor: Transaction | undefined;
  readonly onOver: (() => void)[];
}

export interface Outcome {
  readonly rows: readonly Row[];
  readonly affected: number;
}

export type Executed = Outcome | { readonly blockedBy: Transaction };

/**
 * Tables of a database with several connections, on one connection of libsql in memory. What a transaction has
 * changed is seen by itself alone until its commit: its rows are put on again when it is its turn, and taken
 * off when it is another's. Each statement sees what is committed when it begins, as Postgres's READ COMMITTED;
 * a statement that meets a row locked by another transaction waits for that one's end and is then made anew.
 */
export class Tables {
  readonly #database: Libsql.Database;
  readonly #statement: (sql: string) => Statement;
  readonly #begin: Libsql.Statement;
  readonly #commit: Libsql.Statement;
  readonly #rollback: Libsql.Statement;
  readonly #emptying: readonly Libsql.Statement[];
  readonly #holders = new Map<string, Transaction>();
  /** Whose changes are on the tables now. */
  #shown: Transaction | undefined;
  #isDirty = false;
  #nextId = 1;
  /** Told of all rows of a commit, in order. */
  onCommit: (changes: readonly RowChange[]) => void = () => {};

  /** Told of a statement that SQLite does not take: the simulator has to learn it. */
  onUnknown: (sql: string, error: unknown) => void = () => {};

  constructor(database: Libsql.Database) {
    this.#database = database;
    this.#statement = statementReader(database);
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and name like 'runs_%'")
      .all() as { name: string }[];
    this.#emptying = names.map(({ name }) => database.prepare(`delete from "${name}"`));
    this.#begin = database.prepare('begin');
    this.#commit = database.prepare('commit');
    this.#rollback = database.prepare('rollback');
  }

  /** Takes every row off. */
  clear(): void {
    this.#hide();
    this.#holders.clear();
    this.#nextId = 1;
    for (const empty of this.#emptying) empty.run();
    this.onCommit = () => {};
  }

  begin(): Transaction {
    const id = this.#nextId++;
    return {
      id,
      changes: [],
      locks: new Set(),
      messages: [],
      isFailed: false,
      isOver: false,
      waitsFor: undefined,
      onOver: [],
    };
  }

  /** What is committed, for who looks at the world from outside. */
  look<Result = Row>(sql: string, ...values: readonly unknown[]): Result[] {
    this.#show(undefined);
    const { prepared } = this.#statement(sql);
    return prepared.all(values.map(toValue)) as Result[];
  }

  /** Changes what is committed, by nobody of the world. */
  put(sql: string, ...values: readonly unknown[]): void {
    this.#hide();
    this.#database.prepare(sql).run(...values.map(toValue));
  }

  execute(
    transaction: Transaction,
    sql: string,
    given: { readonly parameters: readonly unknown[]; readonly now: number; readonly began: number },
  ): Executed {
    const statement = this.#known(sql);
    const { kind } = statement;
    const { parameters, now, began } = given;
    if (kind === 'notify') {
      const [channel, payload] = parameters as [string, string];
      transaction.messages.push([channel, payload]);
      return { rows: [], affected: 0 };
    }
    if (kind === 'advisory') return this.#lockName(transaction, String(parameters[0]));
    const isWrite = kind === 'write';
    this.#show(transaction.changes.length > 0 || isWrite ? transaction : undefined);
    if (isWrite && !this.#isDirty) {
      this.#begin.run();
      this.#isDirty = true;
    }
    const values = parameters.map(toValue);
    if (kind === 'lock' && statement.limitAt !== undefined) values.splice(statement.limitAt, 1);
    if (statement.takesTimes) values.push(BigInt(Math.round(now)), BigInt(Math.round(began)));
    const rows = statement.prepared.all(values) as Row[];
    if (isWrite) return this.#keep(transaction, statement, rows);
    if (kind === 'lock') return this.#lockRows(transaction, statement, rows, parameters);
    return { rows, affected: 0 };
  }

  commit(transaction: Transaction): void {
    const { changes } = transaction;
    if (changes.length > 0) {
      this.#show(transaction);
      this.#commit.run();
      this.#isDirty = false;
      this.#shown = undefined;
    } else if (this.#shown === transaction) this.#hide();
    this.#end(transaction);
    if (changes.length > 0) this.onCommit(changes);
  }

  rollback(transaction: Transaction): void {
    if (this.#shown === transaction) this.#hide();
    this.#end(transaction);
  }

  #known(sql: string): Statement {
    try {
      return this.#statement(sql);
    } catch (error) {
      this.onUnknown(sql, error);
      throw error;
    }
  }

  #end(transaction: Transaction): void {
    transaction.isOver = true;
    for (const lock of transaction.locks) this.#holders.delete(lock);
    for (const tell of transaction.onOver.splice(0)) tell();
  }

  #show(transaction: Transaction | undefined): void {
    if (this.#shown === transaction) return;
    this.#hide();
    this.#shown = transaction;
    if (!transaction || transaction.changes.length === 0) return;
    this.#begin.run();
    this.#isDirty = true;
    for (const { table, row, keyValues } of transaction.changes) {
      if (row) table.insert.run(table.columns.map((column) => toValue(row[column])));
      else table.remove.run(keyValues.map(toValue));
    }
  }

  #hide(): void {
    if (this.#isDirty) this.#rollback.run();
    this.#isDirty = false;
    this.#shown = undefined;
  }

  #keep(transaction: Transaction, statement: Statement, rows: readonly Row[]): Executed {
    const { table, isReturning } = statement;
    const changes = rows.map((row) => changeOf(table, row));
    for (const { key, row } of changes) {
      for (const lock of locksOf(table, key, row)) {
        const holder = this.#holders.get(lock);
        if (holder === undefined) this.#take(transaction, lock);
        else if (holder !== transaction) {
          this.#hide(); // what it changed is undone; what it had locked by then stays so
          return { blockedBy: holder };
        }
      }
    }
    const isRemoval = statement.isRemoval;
    for (const change of changes) transaction.changes.push(isRemoval ? { ...change, row: null } : change);
    return { rows: isReturning ? rows : [], affected: rows.length };
  }

  #lockRows(
    transaction: Transaction,
    { table, skipsLocked, limitAt }: Statement,
    rows: readonly Row[],
    parameters: readonly unknown[],
  ): Executed {
    const most = limitAt === undefined ? Number.POSITIVE_INFINITY : Number(parameters[limitAt]);
    const taken: Row[] = [];
    for (const row of rows) {
      if (taken.length >= most) break;
      const lock = `${table.name}\n${table.key.map((_, at) => row[`__key${at}`]).join('\n')}`;
      const holder = this.#holders.get(lock);
      if (holder !== undefined && holder !== transaction) {
        if (skipsLocked) continue;
        return { blockedBy: holder };
      }
      this.#take(transaction, lock);
      taken.push(row);
    }
    return { rows: taken, affected: 0 };
  }

  #lockName(transaction: Transaction, name: string): Executed {
    const lock = `advisory\n${name}`;
    const holder = this.#holders.get(lock);
    if (holder !== undefined && holder !== transaction) return { blockedBy: holder };
    this.#take(transaction, lock);
    return { rows: [], affected: 0 };
  }

  #take(transaction: Transaction, lock: string): void {
    this.#holders.set(lock, transaction);
    transaction.locks.add(lock);
  }
}

function changeOf(table: Table, row: Row): RowChange {
  const keyValues = table.key.map((column) => row[column]);
  return { table, key: `${table.name}\n${keyValues.join('\n')}`, row, keyValues };
}

function locksOf(table: Table, key: string, row: Row | null): string[] {
  const locks = [key];
  for (const columns of table.unique) {
    const values = columns.map((column) => row?.[column] ?? null);
    if (!values.includes(null)) locks.push(`${table.name}#${columns.join()}\n${values.join('\n')}`);
  }
  return locks;
}

/** libsql binds every number as REAL. */
function toValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return value;
}
