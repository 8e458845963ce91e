import { type Connection, type ConnectionListener, connectChannel, offersNothing } from '@nexus/client';
import type { Channel, ToolListing } from '@nexus/core';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { Carried, CarryOptions } from '@nexus/engine';
import { isToolError, type Log } from '@nexus/plugin-sdk';
import { joinRunning, meetingPoint } from '@nexus/transports/ipc';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { memoryChannelPair } from '@nexus/transports/memory';
import { type GoneConfig, loadConfig } from '../loaded-config/load-config.ts';
import { createLog } from '../log.ts';
import { locate } from '../server/locate.ts';
import { requireDataDir } from '../server/require-data-dir.ts';
import { sessionEnvironment } from '../server/session-environment.ts';
import { version } from '../version.ts';
import { bootOwn } from './own-nexus.ts';

/** What commands ask a server by. */
export type Client = Pick<Connection, 'request'>;

/** A server to talk to, from the command line. */
export interface NexusConnection extends Pick<Connection, 'request' | 'list'>, AsyncDisposable {
  /** Whether it is the project's running server, or a private one that ends with this command. */
  readonly isShared: boolean;
  /**
   * Goes on with what was begun by this connection in this process, which no server goes on with, and with the job
   * that waits for a run which is over by now.
   */
  carryAll(how: CarryOptions, runId?: string): Promise<readonly Carried[]>;
}

interface ConnectOptions {
  readonly config?: string | undefined;
  /** A project whose config is there no more: a private server is asked, which no other joins. */
  readonly gone?: GoneConfig | undefined;
  readonly verbose?: boolean | undefined;
  /** Ends the wait for a server that is slow to answer. */
  readonly signal?: AbortSignal | undefined;
  /** Whether calls that are in flight once `signal` has fired are left on record; by default they are cancelled. */
  readonly isLeft?: (() => boolean) | undefined;
  /** What the client offers the server; by default nothing, which it says. */
  readonly offers?: ClientOffers | undefined;
}

export interface ClientOffers {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly listener: ConnectionListener;
}

/** Opens a session with the project's running server, or with a private one where none runs. */
export async function connectToNexus(options: ConnectOptions): Promise<NexusConnection> {
  const shared = options.gone ? undefined : await connectShared(options);
  return shared ?? (await connectPrivate(options));
}

/** @returns undefined where no server runs */
async function connectShared(options: ConnectOptions): Promise<NexusConnection | undefined> {
  const { config, verbose, offers, signal = new AbortController().signal } = options;
  const log = createLog(verbose ? 'debug' : 'error');
  const { identity, configFile } = locate(config);
  const point = await meetingPoint(identity);
  const environment = sessionEnvironment(configFile);
  const session = { sessionId: crypto.randomUUID(), isResumed: false, environment };
  const joined = await joinRunning({ point, session, log, signal });
  if (!joined) return undefined;
  const { socket } = joined;
  const channel = jsonLinesChannel({
    kind: 'ipc',
    readable: socket,
    writable: socket,
    log,
    // What the server answers has no bound, and on its stdio neither.
    maxMessageBytes: Number.POSITIVE_INFINITY,
  });
  const { request, list, close } = await openSession(channel, { log, signal, offers });
  return { request, list, isShared: true, carryAll: async () => [], [Symbol.asyncDispose]: close };
}

async function connectPrivate({
  config,
  gone,
  verbose,
  signal,
  offers,
  isLeft = () => false,
}: ConnectOptions): Promise<NexusConnection> {
  const log = createLog(verbose ? 'debug' : 'error');
  const loaded = await loadConfig({ config, gone });
  requireDataDir(loaded.dataDir);
  const nexus = await bootOwn(loaded, log);
  const [serverEnd, clientEnd] = memoryChannelPair();
  const served = nexus.serve(serverEnd);
  try {
    const { request, list, close } = await openSession(clientEnd, { log, signal, offers });
    return {
      request,
      list,
      isShared: false,
      async carryAll(how, runId) {
        const [all] = await Promise.all([
          nexus.engine.carryAll(how),
          runId === undefined ? undefined : nexus.engine.carryOn(runId, how).catch(ofNoRun),
        ]);
        return all;
      },
      async [Symbol.asyncDispose]() {
        // Before its session, a call that is in flight is left to the next server, and not cancelled.
        const isKept = signal?.aborted === true && isLeft();
        if (isKept) await nexus.stop();
        await close();
        // Until what was cancelled has ended.
        await served.closed;
        if (!isKept) await nexus.stop();
      },
    };
  } catch (error) {
    await nexus.stop();
    throw error;
  }
}

/** What a person has resumed need be no run. */
function ofNoRun(error: unknown): void {
  if (!isToolError(error) || error.code !== 'NEXUS_NOT_FOUND') throw error;
}

async function openSession(
  channel: Channel,
  { log, signal, offers = offersNothing }: Pick<ConnectOptions, 'signal' | 'offers'> & { readonly log: Log },
): Promise<Connection> {
  const connection = await connectChannel(channel, {
    serverName: 'nexus',
    clientInfo: { name: 'nexus-cli', version },
    ...offers,
    log,
    signal,
  });
  return {
    ...connection,
    // Every call asks for progress, shown or not: a server takes one that asks for none to be given up after a minute.
    request: (method, params, { onProgress = () => {}, ...options }) =>
      connection.request(method, params, method === 'tools/call' ? { ...options, onProgress } : options),
  };
}

export async function listTools(client: Client): Promise<readonly ToolListing[]> {
  const { tools } = await client.request('tools/list', {}, { signal: endsWithin(ANSWER_MS) });
  return tools as ToolListing[];
}
