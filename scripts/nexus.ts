import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { execa, execaSync } from 'execa';

/**
 * `pnpm nexus <args>` from a clone: builds what changed without a word, then is the command, in the folder it
 * was called from.
 */
const workspace = fileURLToPath(new URL('..', import.meta.url));
const build = execaSync('turbo', ['run', 'build', '--output-logs=errors-only'], {
  preferLocal: true,
  localDir: workspace,
  cwd: workspace,
  stdio: ['ignore', 'pipe', 'pipe'],
  all: true,
  reject: false,
  env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
});
if (build.exitCode === 0) await runNexus();
else {
  process.stderr.write(`${build.all ?? build.message}\n`);
  process.exitCode = 1;
}

async function runNexus(): Promise<void> {
  const bin = fileURLToPath(new URL('../apps/nexus/bin/nexus.js', import.meta.url));
  const child = execa(process.execPath, [bin, ...process.argv.slice(2)], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
    reject: false,
  });
  // A terminal sends Ctrl-C to both; the command decides what it means. Any other signal is passed on.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const { exitCode, signal } = await child;
  process.exitCode = exitCode ?? (signal ? 1 : 0);
}
