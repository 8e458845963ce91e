import { findPostgres, startPostgres } from '@nexus/testing';
import { afterAll, describe } from 'vitest';
import { testLongHits } from '../long-hits-suite.ts';
import { testContract, testMemory } from '../memory-suite.ts';

const binaries = findPostgres();
if (!binaries) console.warn('No Postgres on this machine (initdb, postgres): its tests are skipped.');
const server = binaries ? await startPostgres(binaries) : undefined;
afterAll(() => server?.stop());

describe.skipIf(!server)('with a Postgres server', () => {
  testMemory('Postgres', async () => ({ databaseUrl: (await server?.createSchema()) ?? '' }));
  testLongHits('Postgres', async () => ({ databaseUrl: (await server?.createSchema()) ?? '' }));
  testContract({ databaseUrl: server?.url ?? '' });
});
