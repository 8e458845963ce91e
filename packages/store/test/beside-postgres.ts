import { findPostgres, startPostgres } from './postgres-server.ts';

/** A process of tests that is ended before it ends its server. */
const server = await startPostgres(findPostgres() ?? '');
process.stdout.write(`${server.url}\n`);
setInterval(() => {}, 1_000);
