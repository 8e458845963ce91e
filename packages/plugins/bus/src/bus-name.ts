import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Dialect } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import type { BusTables } from './tables.ts';

/** The one bus of a project, on every machine, whatever its folder is called there. */
const ONLY = 'project';

/**
 * What the bus is called where the config names none. Tables from before have another name, which is kept:
 * on Postgres the folder's, on SQLite its path, which may have been moved since.
 */
export async function findBusName(
  db: Kysely<BusTables>,
  dialect: Dialect,
  projectRoot: string,
): Promise<string> {
  const names = await namesIn(db);
  const [first] = names;
  const only = names.length === 1 ? first : undefined;
  if (dialect === 'sqlite') {
    // A data directory that several folders share has a bus for each of them.
    const isMoved = only !== undefined && only !== projectRoot && !existsSync(only);
    return isMoved ? only : projectRoot;
  }
  if (names.includes(ONLY)) return ONLY;
  const folder = basename(projectRoot);
  return names.includes(folder) ? folder : (only ?? ONLY);
}

async function namesIn(db: Kysely<BusTables>): Promise<string[]> {
  const rows = await db
    .selectFrom('bus_workers')
    .select('bus')
    .union(db.selectFrom('bus_tasks').select('bus'))
    .execute();
  return rows.map(({ bus }) => bus);
}
