import type { ToolListing } from '@nexus/core';
import { joinRunning, meetingPoint } from '@nexus/transports/ipc';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { memoryChannelPair } from '@nexus/transports/memory';
import { boot } from '../boot/boot.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { locate } from '../server/locate.ts';
import { requireDataDir } from '../server/require-data-dir.ts';
import { sessionEnvironment } from '../server/session-environment.ts';
import { connectRpc, type RpcClient } from './rpc-client.ts';

/** A server to talk to, from the command line. */
export interface Connection extends RpcClient, AsyncDisposable {
  /** Whether it is the project's running server, or a private one that ends with this command. */
  readonly isShared: boolean;
}

export interface ConnectOptions {
  readonly config?: string | undefined;
  readonly verbose?: boolean | undefined;
  /** Ends the wait for a server that is slow to answer. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens a session with the project's running server, or with a private one where none runs. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  return (await connectShared(options)) ?? (await connectPrivate(options));
}

/** @returns undefined where no server runs */
async function connectShared(options: ConnectOptions): Promise<Connection | undefined> {
  const { config, verbose, signal = new AbortController().signal } = options;
  const log = createLog(verbose ? 'debug' : 'error');
  const { identity, configFile } = locate(config);
  const point = await meetingPoint(identity);
  const environment = sessionEnvironment(configFile);
  const session = { sessionId: crypto.randomUUID(), isResumed: false, environment };
  const joined = await joinRunning({ point, session, log, signal });
  if (!joined) return undefined;
  const { socket } = joined;
  const client = await connectRpc(
    jsonLinesChannel({
      kind: 'ipc',
      readable: socket,
      writable: socket,
      log,
      // What the server answers has no bound, and on its stdio neither.
      maxMessageBytes: Number.POSITIVE_INFINITY,
    }),
  );
  return { ...client, isShared: true, [Symbol.asyncDispose]: client.close };
}

async function connectPrivate({ config, verbose }: ConnectOptions): Promise<Connection> {
  const log = createLog(verbose ? 'debug' : 'error');
  const loaded = await loadConfig({ config });
  requireDataDir(loaded.dataDir);
  const nexus = await boot(loaded, log);
  const [serverEnd, clientEnd] = memoryChannelPair();
  nexus.serve(serverEnd);
  const client = await connectRpc(clientEnd);
  return {
    ...client,
    isShared: false,
    async [Symbol.asyncDispose]() {
      await client.close();
      await nexus.stop();
    },
  };
}

export async function listTools(client: RpcClient): Promise<readonly ToolListing[]> {
  const { tools } = await client.request('tools/list');
  return tools as ToolListing[];
}
