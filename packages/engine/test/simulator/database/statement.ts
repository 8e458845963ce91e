import type Libsql from 'libsql';

/** Stands in the text of a statement for the time at which the database runs it. */
export const NOW = ':now';
/** What of Postgres's words SQLite has no like of. */
const STORE_AGE = 'extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000';
const BEGAN = ':began';

/** A statement as the simulated database runs it. */
export interface Statement {
  readonly kind: 'read' | 'write' | 'lock' | 'notify' | 'advisory';
  readonly prepared: { all(values: readonly unknown[]): unknown[] };
  /** How many values it takes from its caller. */
  readonly count: number;
  /** Whether, behind those, the time and the server's beginning. */
  readonly takesTimes: boolean;
  /** Of what it writes or locks. */
  readonly table: Table;
  /** Whether its caller sees the rows that it wrote. */
  readonly isReturning: boolean;
  /** Whether it takes rows off. */
  readonly isRemoval: boolean;
  /** Of a locking read: rows that others have locked are left out, and so many are taken at most. */
  readonly skipsLocked: boolean;
  readonly limitAt: number | undefined;
}

export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** Columns whose values are no other row's; by index. */
  readonly unique: readonly (readonly string[])[];
  readonly insert: Libsql.Statement;
  readonly remove: Libsql.Statement;
  readonly columns: readonly string[];
}

const WRITE = /^\s*(?:insert (?:or \w+ )?into|update|delete from)\s+"?(\w+)"?/i;
const FOR_UPDATE = /\s+for (?:no key )?update(?: of [\w", ]+)?( skip locked| nowait)?\s*$/i;
const LIMIT = /\s+limit \?\s*$/i;
const NOTHING = { name: '', key: [], unique: [], columns: [] } as unknown as Table;

/** Reads statements, which are those of kysely for SQLite, with what only Postgres knows of: row locks and signals. */
export function statementReader(database: Libsql.Database): (sql: string) => Statement {
  const tables = new Map<string, Table>();
  const known = new Map<string, Statement>();
  return (sql) => {
    let statement = known.get(sql);
    if (!statement) {
      statement = read(sql);
      known.set(sql, statement);
    }
    return statement;
  };

  function read(written: string): Statement {
    const sql = written.replaceAll(STORE_AGE, `(${NOW} - ${BEGAN})`);
    const count = (sql.match(/\?/g) ?? []).length;
    const base = {
      count,
      takesTimes: sql.includes(NOW) || sql.includes(BEGAN),
      isReturning: false,
      isRemoval: false,
      skipsLocked: false,
      limitAt: undefined,
    };
    if (/^\s*select pg_notify\(/i.test(sql)) {
      return { ...base, kind: 'notify', prepared: prepare('select 1'), table: NOTHING, takesTimes: false };
    }
    if (/^\s*select pg_advisory_xact_lock\(/i.test(sql)) {
      return { ...base, kind: 'advisory', prepared: prepare('select 1'), table: NOTHING, takesTimes: false };
    }
    const target = WRITE.exec(sql)?.[1];
    if (target !== undefined) {
      const [, body = sql, returning] = /^([\s\S]*?)(\s+returning\s[\s\S]*)?$/i.exec(sql) ?? [];
      const isReturning = returning !== undefined;
      const isRemoval = /^\s*delete/i.test(sql);
      const table = tableOf(target);
      return {
        ...base,
        kind: 'write',
        prepared: prepareWrite(body, table),
        table,
        isReturning,
        isRemoval,
      };
    }
    const locking = FOR_UPDATE.exec(sql);
    if (locking) return readLocking(sql, locking, base);
    return { ...base, kind: 'read', prepared: prepareRead(sql), table: NOTHING };
  }

  function readLocking(
    sql: string,
    locking: RegExpExecArray,
    base: Omit<Statement, 'kind' | 'prepared' | 'table'>,
  ): Statement {
    const skipsLocked = locking[1]?.includes('skip') ?? false;
    const name = /\sfrom "?(\w+)"?/i.exec(sql)?.[1] ?? '';
    const table = tableOf(name);
    let text = sql.slice(0, locking.index);
    let limitAt: number | undefined;
    if (LIMIT.test(text)) {
      text = text.replace(LIMIT, '');
      limitAt = base.count - 1;
    } else if (/\slimit\s/i.test(text)) throw new Error(`the simulator knows no such lock: ${sql}`);
    const keys = table.key.map((column, at) => `"${name}"."${column}" as "__key${at}"`);
    const prepared = prepareRead(text.replace(/^\s*select\s/i, `select ${keys.join(', ')}, `));
    return { ...base, kind: 'lock', prepared, table, skipsLocked, limitAt };
  }

  /** All rows as one text, which is read in half the time that libsql takes to hand over rows and columns. */
  function prepareRead(sql: string): Statement['prepared'] {
    const names = prepare(sql)
      .columns()
      .map(({ name }) => name);
    const toRow = rowOf(names);
    const prepared = prepare(`select json_group_array(${valuesOf(names)}) from (${sql})`).raw();
    return {
      all: (values) => (JSON.parse((prepared.get(values) as [string])[0]) as unknown[][]).map(toRow),
    };
  }

  /** The same of each row: what is written can't be read as a whole. */
  function prepareWrite(body: string, table: Table): Statement['prepared'] {
    const { columns } = table;
    const read = rowOf(columns);
    const toRow = ([text]: [string]) => read(JSON.parse(text) as unknown[]);
    const prepared = prepare(`${body} returning ${valuesOf(columns)}`).raw();
    if (!writesOneRow(body, table)) {
      return { all: (values) => (prepared.all(values) as [string][]).map(toRow) };
    }
    return {
      all(values) {
        const row = prepared.get(values) as [string] | undefined;
        return row === undefined ? [] : [toRow(row)];
      },
    };
  }

  /** Values by number, so that the time can stand anywhere among them. */
  function prepare(sql: string): Libsql.Statement {
    let at = 0;
    const numbered = sql.replace(/\?/g, () => {
      at += 1;
      return `?${at}`;
    });
    return database.prepare(numbered.replaceAll(NOW, `?${at + 1}`).replaceAll(BEGAN, `?${at + 2}`));
  }

  function tableOf(name: string): Table {
    const there = tables.get(name);
    if (there) return there;
    const info = database.prepare(`pragma table_info("${name}")`).all() as { name: string; pk: number }[];
    if (info.length === 0) throw new Error(`the simulator has no table ${name}`);
    const columns = info.map((column) => column.name);
    const key = info
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name);
    const indexes = database.prepare(`pragma index_list("${name}")`).all() as {
      name: string;
      unique: number;
      origin: string;
    }[];
    const unique = indexes
      .filter((index) => index.unique === 1 && index.origin !== 'pk')
      .map((index) =>
        (database.prepare(`pragma index_info("${index.name}")`).all() as { name: string }[]).map(
          (each) => each.name,
        ),
      );
    const quoted = columns.map((column) => `"${column}"`).join(', ');
    const insert = database.prepare(
      `insert or replace into "${name}" (${quoted}) values (${columns.map(() => '?').join(', ')})`,
    );
    const remove = database.prepare(
      `delete from "${name}" where ${key.map((column) => `"${column}" = ?`).join(' and ')}`,
    );
    const made = { name, key, unique, insert, remove, columns };
    tables.set(name, made);
    return made;
  }
}

function valuesOf(columns: readonly string[]): string {
  return `json_array(${columns.map((name) => `"${name}"`).join()})`;
}

/** Made as code, so that all rows of a statement are of one shape: put together name by name they cost as much as their statement. */
function rowOf(columns: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  const fields = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as ReturnType<typeof rowOf>;
}

/** What stands in brackets, those within it first. */
const IN_BRACKETS = /\([^()]*\)/g;
const INSERT_ONE = /\svalues \(\)\s*(?:on conflict\s|$)/i;

/** Whether it can't write more than one row, which libsql hands over in a third of the time that it takes for several. */
export function writesOneRow(body: string, { key }: Pick<Table, 'key'>): boolean {
  const outline = outlineOf(body);
  if (/^\s*insert/i.test(body)) return INSERT_ONE.test(outline);
  const where = /\swhere\s(.*)$/is.exec(outline)?.[1];
  if (where === undefined || /\sor\s/i.test(where)) return false;
  const parts = where.split(/\s+and\s+/i).map((part) => part.trim());
  return key.every((column) => parts.includes(`"${column}" = ?`));
}

/** A statement with nothing left in its brackets. */
function outlineOf(sql: string): string {
  for (let text = sql; ; ) {
    const less = text.replace(IN_BRACKETS, '\u0000');
    if (less === text) return text.replaceAll('\u0000', '()');
    text = less;
  }
}
