import { enableCompileCache } from './compile-cache.ts';

enableCompileCache();

const args = process.argv.slice(2);
const isServer = args.some((arg) => arg === '--mode' || arg.startsWith('--mode='));
try {
  // Apart, so that a host's server never loads what only people need.
  if (isServer) await (await import('./server/run-mode.ts')).runMode(args);
  else await (await import('./commands/cli.ts')).runCli(args);
} catch (error) {
  const { reportFatal } = await import('./report-fatal.ts');
  // A plugin that failed at its start may have left a timer, which would keep a process that does not serve.
  if (isServer) await (await import('./server/lazy-log.ts')).logsWritten();
  reportFatal(error, isServer ? () => process.exit() : () => {});
}
