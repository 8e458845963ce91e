import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findPostgres } from '../../packages/store/test/find-postgres.ts';
import { startPostgres } from '../../packages/store/test/postgres-server.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { installApp, packOlder } from './older-app.ts';
import { upgrade } from './upgrade.ts';

/** The last commit of the version before terminals had views and builds had versions of their own. */
const BEFORE = 'ea68fd86d873';

const HELP = `Upgrades from an older commit to this checkout on live state, then uninstalls, and says what did not hold.

  pnpm upgrade:check                  from ${BEFORE}, on a file and on Postgres
  pnpm upgrade:check --from <commit>  from another
  pnpm upgrade:check --tarball <file> from an app that is packed already

It ends with 1 when something is hidden, lost or left.
`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = readArguments(HELP, {
  options: { from: { type: 'string', default: BEFORE }, tarball: { type: 'string' } },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nexus-upgrade');
const tarball = values.tarball ?? (await packOlder(root, values.from, cache));
const folder = await mkdtemp(join(tmpdir(), 'nexus-older-'));
const faults: string[] = [];
try {
  const older = await installApp(tarball, folder);
  const newer = join(root, 'apps/nexus/bin/nexus.js');
  say('On a file:');
  faults.push(...(await upgrade({ older, newer, databaseUrl: undefined, say })));
  const binaries = findPostgres();
  if (binaries === undefined) say('Postgres is not installed: not looked at there.');
  else {
    const postgres = await startPostgres(binaries);
    try {
      say('On Postgres:');
      faults.push(...(await upgrade({ older, newer, databaseUrl: await postgres.createSchema(), say })));
    } finally {
      await postgres.stop();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
say(faults.length === 0 ? 'Nothing is hidden, lost or left.' : `${faults.length} did not hold.`);
process.exitCode = faults.length === 0 ? 0 : 1;
