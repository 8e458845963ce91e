import { environmentSecrets, holdSecrets } from '@nexus/untrusted/secrets';
import { enableCompileCache } from './compile-cache.ts';

enableCompileCache();
// SQLite's library has Node report on this process to learn its libc, by default with the names that DNS has for connections.
Object.assign(process.report, { excludeNetwork: true });
// Before a config or a plugin is read: what goes wrong there is told, too.
holdSecrets(environmentSecrets(process.env));

const args = process.argv.slice(2);
const isServer = args.some((arg) => arg === '--mode' || arg.startsWith('--mode='));
try {
  // Apart, so that a host's server never loads what only people need.
  if (isServer) await (await import('./server/run-mode.ts')).runMode(args);
  else {
    // Node itself would print it as it is.
    process.on('uncaughtException', (error) => {
      // `nexus serve` ends in order, and says why in its log.
      if (process.listenerCount('uncaughtException') > 1) return;
      void import('./report-fatal.ts').then(({ reportFatal }) => reportFatal(error, () => process.exit()));
    });
    await (await import('./commands/cli.ts')).runCli(args);
  }
} catch (error) {
  const { reportFatal } = await import('./report-fatal.ts');
  // A plugin that failed at its start may have left a timer, which would keep a process that does not serve.
  if (isServer) await (await import('./server/lazy-log.ts')).logsWritten();
  reportFatal(error, isServer ? () => process.exit() : () => {});
}
