import process from 'node:process';
import { execa } from 'execa';
import { findPostgres } from '../packages/store/test/find-postgres.ts';

/**
 * Runs turbo with its telemetry off: it has no setting for that in turbo.json, only the environment. The
 * Postgres that tests find is named to it, so that what was skipped without one is not taken for this run's.
 */
const { exitCode } = await execa('turbo', process.argv.slice(2), {
  preferLocal: true,
  stdio: 'inherit',
  reject: false,
  env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NEXUS_TEST_POSTGRES: findPostgres() ?? '' },
});
process.exitCode = exitCode ?? 1;
