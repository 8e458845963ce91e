import type { Log } from '@nexus/plugin-sdk';
import type { Claim, Owner, Visitor } from '@nexus/transports/ipc';
import { boot, type Nexus } from '../boot/boot.ts';
import { createEndings } from '../boot/endings.ts';
import { type LoadedConfig, loadConfig } from '../loaded-config/load-config.ts';
import type { ConfigWatch } from '../loaded-config/watch-config.ts';
import { logFileIn } from '../log-file.ts';
import type { LogLevel } from '../log-level.ts';
import { startSweeps } from '../retention/start-sweeps.ts';
import { startSchedules } from '../schedules/start-schedules.ts';
import { recordDataDir } from '../state/data-dir-record.ts';
import { answerQuestion } from './answer-question.ts';
import { askHosts } from './ask-hosts.ts';
import { followConfig } from './follow-config.ts';
import { lazyLog } from './lazy-log.ts';
import { locate } from './locate.ts';
import { requireDataDir } from './require-data-dir.ts';
import type { HttpChoice, RunningHttp } from './start-http.ts';
import { survivePlugins } from './survive-plugins.ts';

/** A server that runs in this process, on the project's socket where it holds the claim to it. */
export interface RunningServer {
  readonly nexus: Nexus;
  readonly loaded: LoadedConfig;
  readonly log: Log;
  /** Where it is also served by HTTP. */
  readonly http: RunningHttp | undefined;
  readonly watch: ConfigWatch;
  /** Resolves when `nexus stop` asks this server to end. */
  readonly stopRequested: Promise<void>;
  /** Resolves once another process has the project's socket, since this one hung. */
  readonly replaced: Promise<void>;
  /**
   * Lets nobody in any more, ends what runs, then lets another process take over.
   * @param withinMs when the process is ended whatever still runs; calls by HTTP may go on for a part of it
   */
  stop(withinMs: number): Promise<void>;
}

/** What the end of sessions, plugins and the store needs of the time to stop. */
const STOP_RESERVE_MS = 1_000;

export interface StartOptions {
  readonly config: string | undefined;
  readonly level: LogLevel;
  /** The right to the project's socket; absent for a server that is not shared. */
  readonly claim?: Claim | undefined;
  /** From the command line; otherwise the config decides, for the owner of the project's socket alone. */
  readonly http?: HttpChoice | undefined;
}

/** @throws when the config or a plugin is at fault; the claim is then free again */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, level, claim } = options;
  const log = lazyLog(level, () => {
    const { dataDir } = locate(config);
    recordDataDir(dataDir);
    return logFileIn(dataDir);
  });
  let owner: Owner | undefined;
  let requestStop = () => {};
  const stopRequested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  survivePlugins(log, requestStop);
  const endings = createEndings(log);
  if (claim) endings.add('the claim to the socket', claim.release);
  try {
    const loaded = await loadConfig({ config });
    requireDataDir(loaded.dataDir);
    for (const note of loaded.notes) log.info(note);
    for (const warning of loaded.warnings) log.warn(warning);
    const nexus = await boot(loaded, log);
    endings.add('the server', nexus.stop);
    void nexus.stateTaken.then(() => {
      log.warn('the project’s state is taken away; this process ends', { dataDir: loaded.dataDir });
      requestStop();
    });
    const startedAt = new Date();
    const choice =
      options.http ?? (claim && loaded.config.http.port !== undefined ? { hasAuth: true } : undefined);
    const { startHttp } = choice ? await import('./start-http.ts') : {};
    const http =
      choice &&
      (await startHttp?.(nexus, loaded, { log, choice }).catch((error: unknown) => {
        // The one that hangs has the port, and may go on at any time.
        if (!claim?.isSuccession) throw error;
        log.warn('HTTP is not open here', { err: error });
        return undefined;
      }));
    if (http) {
      endings.add('HTTP', http.close);
      log.info('HTTP is open', { url: http.url, tokenFile: http.tokenFile });
    }
    const watch = followConfig(nexus, loaded, { config, log });
    endings.add('the watch on the config', () => watch[Symbol.dispose]());
    askHosts({ nexus, watch, log });
    const questioned = {
      nexus,
      startedAt,
      watch,
      http,
      socketPath: () => owner?.socketPath,
      requestStop: () => requestStop(),
    };
    owner = await claim?.listen({
      maxMessageBytes: loaded.config.limits.maxMessageBytes,
      accept({ channel, ...visit }: Visitor) {
        // A host that has gone has its answers by then; its process waits for this side to close.
        void nexus.serve(channel, visit).closed.then(() => channel.close());
      },
      answer: (question, details) => answerQuestion(questioned, question, details),
    });
    goOnWithRuns(nexus, log);
    const stopSchedules = startSchedules({ nexus, projectRoot: loaded.projectRoot, log });
    endings.add('the schedules', stopSchedules);
    const { plugins, config: used } = loaded;
    const stopSweeps = startSweeps({ nexus, plugins, settings: used.retention, log });
    endings.add('the sweeps', stopSweeps);
    return {
      nexus,
      loaded,
      log,
      http,
      watch,
      stopRequested,
      replaced: owner?.replaced ?? new Promise(() => {}),
      async stop(withinMs) {
        const drainMs = Math.min(loaded.config.http.drainMs, withinMs - STOP_RESERVE_MS);
        const steps = createEndings(log);
        // The last is the first step.
        steps.add('the socket', () => owner?.close());
        steps.add('HTTP', () => http?.close());
        steps.add('the server', nexus.stop);
        steps.add('calls by HTTP', () => http?.drain(drainMs));
        steps.add('the way in by the socket', () => owner?.retire());
        steps.add('the watch on the config', () => watch[Symbol.dispose]());
        steps.add('the schedules', stopSchedules);
        steps.add('the sweeps', stopSweeps);
        await steps.run();
      },
    };
  } catch (error) {
    // Nothing that was opened may keep a process alive that does not serve.
    await endings.run();
    throw error;
  }
}

/** A server that starts has its first client to answer first, and the store is loaded by what needs it. */
const GO_ON_AFTER_MS = 500;

/** Goes on with the runs that others left. */
function goOnWithRuns({ engine }: Nexus, log: Log): void {
  setTimeout(() => {
    engine.adopt().catch((error: unknown) => log.warn('runs could not be looked for', { err: error }));
  }, GO_ON_AFTER_MS).unref();
}
