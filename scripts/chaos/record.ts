import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PostgresServer } from '@nexus/testing';

export type Row = Readonly<Record<string, unknown>>;

/** Reads a database as it is, past the servers that write it. */
export type ReadRows = (query: string) => Promise<readonly Row[]>;

/** What is on record of one item. */
export interface Recorded {
  /** Of its own kind, not of the job's; two are one too many. */
  readonly runs: readonly {
    readonly id: string;
    readonly kind: string;
    readonly status: string;
    readonly error: string;
  }[];
  readonly jobs: readonly { readonly id: string; readonly status: string }[];
  /** Of all that was run for it, settled or not. */
  readonly tokens: number;
  readonly unsettled: number;
  readonly effects: number;
}

export function postgresRows(postgres: PostgresServer): ReadRows {
  return async (query) => {
    const client = await postgres.connect();
    try {
      const { rows } = await client.query(
        `select schemaname as name from pg_tables where tablename = 'runs_runs'`,
      );
      await client.query(`set search_path to ${String(rows[0]?.name)}`);
      return (await client.query(query)).rows as Row[];
    } finally {
      await client.end();
    }
  };
}

interface Libsql {
  new (
    file: string,
    options: { readonly: boolean },
  ): { prepare(query: string): { all(): Row[] }; close(): void };
}

export function sqliteRows(dataDir: string): ReadRows {
  const load = createRequire(new URL('../../apps/nexus/package.json', import.meta.url));
  const Database = load('libsql') as Libsql;
  return async (query) => {
    const database = new Database(join(dataDir, 'nexus.sqlite'), { readonly: true });
    try {
      return database.prepare(query).all();
    } finally {
      database.close();
    }
  };
}

/** What is on record, by the mark of the item that it is for. */
export async function readRecord(read: ReadRows, findMark: (text: string) => string | undefined) {
  const runs = await read('select id, root_id, parent_id, kind, status, title, input, error from runs_runs');
  const spending = await read('select root_id, tokens, is_settled from runs_spending');
  const effects = await read(`select title from bus_tasks where title like 'EFFECT of%'`);
  const markOfRoot = new Map<string, string>();
  for (const { root_id, title, input } of runs) {
    const mark = findMark(`${title} ${input}`);
    if (mark) markOfRoot.set(String(root_id), mark);
  }
  const found = new Map<string, Recorded>();
  for (const mark of new Set(markOfRoot.values())) {
    const isOf = ({ root_id }: Row) => markOfRoot.get(String(root_id)) === mark;
    const own = runs.filter(isOf);
    const ids = new Set(own.map(({ id }) => id));
    // A job's run may be its child, or stand beside it.
    const isTop = ({ parent_id }: Row) =>
      !ids.has(parent_id) || own.find(({ id }) => id === parent_id)?.kind === 'nexus.job';
    const spent = spending.filter(isOf);
    found.set(mark, {
      runs: own
        .filter((row) => row.kind !== 'nexus.job' && isTop(row))
        .map(({ id, kind, status, error }) => ({
          id: String(id),
          kind: String(kind),
          status: String(status),
          error: String(error ?? ''),
        })),
      jobs: own
        .filter((row) => row.kind === 'nexus.job' && !ids.has(row.parent_id))
        .map(({ id, status }) => ({ id: String(id), status: String(status) })),
      tokens: spent.reduce((sum, { tokens }) => sum + Number(tokens), 0),
      unsettled: spent.filter(({ is_settled }) => Number(is_settled) !== 1).length,
      effects: effects.filter(({ title }) => findMark(String(title)) === mark).length,
    });
  }
  return found;
}
