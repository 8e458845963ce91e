import { Agent, type IncomingMessage, request } from 'node:http';

export interface Target {
  /** Of the MCP endpoint. */
  readonly url: string;
  readonly token: string;
}

/** An MCP session by HTTP that keeps nothing of what it received, so that it can go on for long. */
export interface McpClient {
  readonly sessionId: string;
  /** The answer to a request: result or error. */
  ask(method: string, params?: object, signal?: AbortSignal): Promise<Answer>;
  call(name: string, args: object, signal?: AbortSignal): Promise<Answer>;
  close(): void;
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** As every POST to an MCP endpoint has them. */
export function postHeaders(token: string, sessionId?: string): Record<string, string> {
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...(sessionId ? { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' } : {}),
  };
}

export async function openClient({ url, token }: Target): Promise<McpClient> {
  const agent = new Agent({ keepAlive: true });
  let sessionId: string | undefined;
  let nextId = 1;
  const post = (message: object, signal?: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = postHeaders(token, sessionId);
      const outgoing = request(
        url,
        { method: 'POST', headers, agent, ...(signal ? { signal } : {}) },
        resolve,
      );
      outgoing.once('error', reject);
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  const ask: McpClient['ask'] = async (method, params = {}, signal) => {
    const id = nextId++;
    const response = await post({ id, method, params }, signal);
    sessionId ??= response.headers['mcp-session-id'] as string | undefined;
    return answerIn(await textOf(response), id);
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'soak', version: '1.0.0' },
  });
  (await post({ method: 'notifications/initialized' })).resume();
  if (sessionId === undefined) throw new Error('the server gave no session');
  return {
    sessionId,
    ask,
    call: (name, args, signal) => ask('tools/call', { name, arguments: args }, signal),
    close: () => agent.destroy(),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return text;
}

/** Of an answer alone, or of a stream of events with the answer among them. */
function answerIn(text: string, id: number): Answer {
  const messages = text.startsWith('{')
    ? [text]
    : text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  for (const message of messages) {
    const parsed = JSON.parse(message) as Answer & { id?: number };
    if (parsed.id === id) return parsed;
  }
  return { error: { code: 0, message: `no answer in: ${text.slice(0, 200)}` } };
}
