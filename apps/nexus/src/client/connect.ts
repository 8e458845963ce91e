import type { ToolListing } from '@nexus/core';
import { memoryChannelPair } from '@nexus/transports/memory';
import { boot } from '../boot/boot.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { connectRpc, type RpcClient } from './rpc-client.ts';

/** A server to talk to, from the command line. */
export interface Connection extends RpcClient, AsyncDisposable {}

export interface ConnectOptions {
  readonly config?: string | undefined;
  readonly verbose?: boolean | undefined;
}

/** Starts a private server in this process and opens a session with it. */
export async function connect({ config, verbose }: ConnectOptions): Promise<Connection> {
  const log = createLog(verbose ? 'debug' : 'error');
  const nexus = await boot(await loadConfig({ config }), log);
  const [serverEnd, clientEnd] = memoryChannelPair();
  nexus.serve(serverEnd);
  const client = await connectRpc(clientEnd);
  return {
    ...client,
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
