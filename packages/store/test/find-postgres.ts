import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian has the binaries of each version; not on PATH. */
const DEBIAN = '/usr/lib/postgresql';

/**
 * The folder with `initdb` and `postgres`; undefined where no Postgres is installed. NEXUS_TEST_POSTGRES
 * names another one, or, when it is empty, none.
 */
export function findPostgres(): string | undefined {
  const named = process.env.NEXUS_TEST_POSTGRES;
  if (named !== undefined) return named || undefined;
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'))
    : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}
