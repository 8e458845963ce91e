import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

/**
 * The official client by HTTP, connected.
 * @param also headers of each of its requests
 */
export async function connectSdkClient(
  url: string,
  token: string | undefined,
  capabilities: ClientCapabilities = {},
  also: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'e2e-http', version: '1' }, { capabilities });
  const headers = { ...also, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  // The SDK's own types do not agree under exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}
