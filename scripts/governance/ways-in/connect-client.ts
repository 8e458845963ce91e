import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import type { SendRequest } from '../../../apps/nexus/src/governance/drift/read-server.ts';

/** Takes a result as it came: the SDK's own schemas drop the keys they do not know. */
const AnyResult = z.looseObject({});

export interface ConnectedClient {
  readonly send: SendRequest;
  close(): Promise<void>;
}

/**
 * By the official SDK’s client, and not by ours: hosts are on it, and a fault of the peer that our server and our
 * client share would show to neither.
 */
export async function connectClient(transport: Transport): Promise<ConnectedClient> {
  const client = new Client({ name: 'nexus-governance', version: '1' });
  await client.connect(transport);
  return {
    send: (method, params) => client.request({ method, params }, AnyResult),
    close: () => client.close(),
  };
}
