import { request } from 'node:http';

interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** One request with just these headers, Host among them, which `fetch` would not send. */
export async function httpRequest(
  url: string,
  {
    headers = {},
    body,
    method = body === undefined ? 'GET' : 'POST',
  }: { headers?: Record<string, string>; body?: object; method?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    outgoing.once('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** `initialize`, as the body of a POST. */
export const initializeBody = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'e2e', version: '1.0.0' },
  },
};

export function mcpHeaders(token: string | undefined): Record<string, string> {
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
