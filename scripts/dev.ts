import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/**
 * `pnpm dev <options of nexus serve>`: builds what changes as it changes, and starts the server again with it. What
 * a server has on record outlives it, so a call that was under way is taken up by the next.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const bin = fileURLToPath(new URL('../apps/nexus/bin/nexus.js', import.meta.url));
const shared = {
  cwd: root,
  preferLocal: true,
  localDir: root,
  reject: false,
  env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
} as const;

const first = await execa('turbo', ['run', 'build', '--output-logs=errors-only'], {
  ...shared,
  stdio: 'inherit',
});
if (first.exitCode !== 0) process.exit(first.exitCode ?? 1);

const end = new AbortController();
const children = { ...shared, cancelSignal: end.signal } as const;
const build = execa('turbo', ['watch', 'build', '--output-logs=errors-only'], {
  ...children,
  stdio: ['ignore', 'ignore', 'inherit'],
});
// Node watches the modules that the server has loaded, so each build that changes one of them starts it anew.
const server = execa(process.execPath, ['--watch', bin, 'serve', ...process.argv.slice(2)], {
  ...children,
  cwd: process.env.INIT_CWD ?? root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end.abort());
await Promise.race([build, server]);
end.abort();
await Promise.all([build, server]);
