import { findPostgres, startPostgres } from '@nexus/store/postgres-server';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** One schema for each test file's servers; empty where no Postgres is installed. */
    databaseUrl: string;
    /** The one on which what stands above the record is tested in this step. */
    databaseByTurns: 'SQLite' | 'Postgres';
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const binaries = findPostgres();
  if (!binaries) {
    console.warn('No Postgres on this machine (initdb, postgres): runs are tested on SQLite alone.');
    project.provide('databaseUrl', '');
    return undefined;
  }
  const server = await startPostgres(binaries);
  project.provide('databaseUrl', await server.createSchema());
  return () => server.stop();
}
