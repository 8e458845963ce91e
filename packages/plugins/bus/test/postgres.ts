import { findPostgres, startPostgres } from '@nexus/testing';

/** One server for the run, where Postgres is installed: each test has a bus of its own name on it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const binaries = findPostgres();
  if (!binaries) {
    console.warn('No Postgres on this machine (initdb, postgres): the bus is tested on SQLite alone.');
    return undefined;
  }
  const server = await startPostgres(binaries);
  process.env.NEXUS_TEST_DATABASE_URL = server.url;
  return () => server.stop();
}
