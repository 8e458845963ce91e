import type { Writable } from 'node:stream';
import type { Log } from '@nexus/plugin-sdk';
import {
  createReconnect,
  type JoinedOwner,
  type MeetingPoint,
  runBridge,
  type SessionHello,
} from '@nexus/transports/ipc';
import type { LogLevel } from '../log-level.ts';
import { type Ending, EXIT_AFTER_CLOSE_MS, EXIT_AFTER_REQUEST_MS } from './end-by-signals.ts';
import type { RunningServer } from './start-server.ts';

export interface BridgeOptions {
  readonly point: MeetingPoint;
  /** The connection to the owner. */
  readonly joined: JoinedOwner;
  readonly session: SessionHello;
  readonly stdout: Writable;
  readonly ending: Ending;
  readonly log: Log;
  readonly level: LogLevel;
  readonly config: string | undefined;
  /** Whether this process may serve when the owner dies, or only look for the next. */
  readonly mayOwn: boolean;
}

/**
 * Carries this process's host to the owner of the project's server. Loads nothing of a server until the
 * owner has died and this process is elected.
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { point, joined, session, ending, log, level, config } = options;
  let own: RunningServer | undefined;
  /** While it is elected, and starts to serve. */
  let looking: Promise<unknown> | undefined;
  const reconnect = createReconnect({
    point,
    session,
    log,
    becomeOwner: options.mayOwn
      ? async (claim) => {
          (await import('./small-heap.ts')).keepHeapSmall();
          const { startServer } = await import('./start-server.ts');
          const { reloadOnHangup } = await import('./follow-config.ts');
          own = await startServer({ config, level, claim });
          reloadOnHangup(ending, own);
          void own.stopRequested.then(ending.request);
        }
      : undefined,
  });
  try {
    await runBridge({
      ...joined,
      stdin: process.stdin,
      stdout: options.stdout,
      async reconnect(...given) {
        const found = reconnect(...given);
        looking = found.catch(() => {});
        void looking.then(() => {
          looking = undefined;
        });
        return found;
      },
      log,
      signal: ending.signal,
    });
  } finally {
    // Where the host went while this process was elected, what that has made by now would stay.
    const withinMs = looking ? EXIT_AFTER_REQUEST_MS : EXIT_AFTER_CLOSE_MS;
    ending.begin(withinMs);
    await looking;
    await own?.stop(withinMs);
  }
}
