import type { Log } from '@nexus/plugin-sdk';

/**
 * A promise that a plugin forgot must not end a server that others share, so it is logged. A thrown
 * exception nobody caught leaves the process in an unknown state: it is logged, and the process ends, so
 * that the next one goes on.
 */
export function survivePlugins(log: Log, end: () => void): void {
  process.on('unhandledRejection', (reason) => log.error('a rejection was not handled', { err: reason }));
  process.on('uncaughtException', (error) => {
    log.error('an exception was not caught; ending', { err: error });
    process.exitCode = 1;
    end();
  });
}
