import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import type { Project } from './project.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Reads a database as it is on disk, beside or after the processes that write it. */
export type ReadRows = (query: string) => Promise<readonly Row[]>;

/** The embedded database of a project. */
export function rowsOf({ dataDir }: Pick<Project, 'dataDir'>): ReadRows {
  return async (query) => {
    const database = new Database(join(dataDir, 'nexus.sqlite'), { readonly: true });
    try {
      return database.prepare(query).all() as Row[];
    } finally {
      database.close();
    }
  };
}

/** Every row of every table, but for what a living process writes by itself. */
export async function everyRow(read: ReadRows): Promise<Readonly<Record<string, readonly Row[]>>> {
  const tables = await read(`select name from sqlite_master where type = 'table' order by name`);
  const rows: Record<string, readonly Row[]> = {};
  for (const { name } of tables) {
    if (name === 'runs_workers' || name === 'jobs_servers') continue;
    rows[String(name)] = await read(`select * from "${name}"`);
  }
  return rows;
}

/** The keys by which a run's finished steps called others. */
export async function finishedKeys(read: ReadRows): Promise<ReadonlySet<string>> {
  const rows = await read(`select run_id, name from runs_steps where status = 'completed'`);
  return new Set(rows.map(({ run_id, name }) => keyOf(`${run_id}\n${name}`)));
}

function keyOf(text: string): string {
  return `nx-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The first run of a kind. */
export async function runOf(read: ReadRows, kind: string): Promise<Row | undefined> {
  const rows = await read(`select id, status, output, error from runs_runs where kind = '${kind}'`);
  return rows[0];
}
