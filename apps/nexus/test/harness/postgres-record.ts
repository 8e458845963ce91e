import type { PostgresServer } from '@nexus/testing';
import type { ReadRows, Row } from './run-record.ts';

/** Reads the schema that a project is going to have there; asked before any of its servers starts. */
export async function rowsOfNext(postgres: PostgresServer): Promise<ReadRows> {
  const before = await schemas(postgres);
  return async (query) => {
    const [own] = (await schemas(postgres)).filter((name) => !before.includes(name));
    return rowsIn(postgres, `set search_path to ${own}`, query);
  };
}

/** Those that hold runs. */
async function schemas(postgres: PostgresServer): Promise<string[]> {
  const query = `select schemaname as name from pg_tables where tablename = 'runs_runs'`;
  return (await rowsIn(postgres, query)).map(({ name }) => String(name));
}

/** What the last query answers. */
async function rowsIn(postgres: PostgresServer, ...queries: readonly string[]): ReturnType<ReadRows> {
  const client = await postgres.connect();
  try {
    let rows: readonly Row[] = [];
    for (const query of queries) ({ rows } = await client.query(query));
    return rows;
  } finally {
    await client.end();
  }
}
