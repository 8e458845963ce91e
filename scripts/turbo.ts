import process from 'node:process';
import { execa } from 'execa';

/** Runs turbo with its telemetry off: it has no setting for that in turbo.json, only the environment. */
const { exitCode } = await execa('turbo', process.argv.slice(2), {
  preferLocal: true,
  stdio: 'inherit',
  reject: false,
  env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
});
process.exitCode = exitCode ?? 1;
