import type { Log } from '@nexus/plugin-sdk';
import type { Claim, Owner, Visitor } from '@nexus/transports/ipc';
import { boot, type Nexus } from '../boot/boot.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import type { LogLevel } from '../log-level.ts';
import { version } from '../version.ts';
import { survivePlugins } from './survive-plugins.ts';

/** A server that runs in this process, on the project's socket where it holds the claim to it. */
export interface RunningServer {
  readonly nexus: Nexus;
  readonly loaded: LoadedConfig;
  readonly log: Log;
  /** Resolves when `nexus stop` asks this server to end. */
  readonly stopRequested: Promise<void>;
  /** Lets nobody in any more, ends what runs, then lets another process take over. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config: string | undefined;
  readonly level: LogLevel;
  /** The right to the project's socket; absent for a server that is not shared. */
  readonly claim?: Claim | undefined;
}

/** @throws when the config or a plugin is at fault; the claim is then free again */
export async function startServer({ config, level, claim }: StartOptions): Promise<RunningServer> {
  const log = createLog(level);
  let owner: Owner | undefined;
  let requestStop = () => {};
  const stopRequested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  survivePlugins(log, requestStop);
  try {
    const loaded = await loadConfig({ config });
    for (const note of loaded.notes) log.info(note);
    const nexus = await boot(loaded, log);
    const startedAt = new Date();
    owner = await claim?.listen({
      maxMessageBytes: loaded.config.limits.maxMessageBytes,
      accept({ channel, sessionId }: Visitor) {
        // A host that has gone has its answers by then; its process waits for this side to close.
        void nexus.serve(channel, sessionId).closed.then(() => channel.close());
      },
      async answer(question) {
        if (question === 'stop') {
          // After the answer has left.
          setTimeout(requestStop, 50);
          return { pid: process.pid };
        }
        return status(nexus, startedAt, owner?.socketPath);
      },
    });
    return {
      nexus,
      loaded,
      log,
      stopRequested,
      async stop() {
        await owner?.retire();
        await nexus.stop();
        await owner?.close();
      },
    };
  } catch (error) {
    claim?.release();
    throw error;
  }
}

/** What `nexus status` shows of the owner. */
function status({ sessions }: Nexus, startedAt: Date, socket: string | undefined) {
  return {
    owner: { pid: process.pid, version, startedAt: startedAt.toISOString(), socket },
    sessions: [...sessions].map((session) => ({
      id: session.id,
      client: session.client() ?? null,
      since: session.startedAt.toISOString(),
      inFlight: session.inFlight(),
    })),
    downstreams: [],
  };
}
