import { Agent, request } from 'node:http';

/** One MCP session over Streamable HTTP on one kept-alive connection; bare, as the lines of stdio are driven. */
export interface HttpSession {
  call(): Promise<void>;
  /** Calls any tool, and answers with what came back, as text. */
  callTool(name: string, args: object): Promise<string>;
  close(): void;
}

interface Answer {
  readonly status: number;
  readonly sessionId: string | undefined;
  readonly body: string;
}

const PROTOCOL_VERSION = '2025-11-25';

/** Initializes a session; `call` then calls the tool that does nothing. */
export async function openHttpSession(url: string): Promise<HttpSession> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let id = 0;
  const initialize = {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  };
  const { sessionId } = await post(url, agent, { id: id++, method: 'initialize', params: initialize });
  if (!sessionId) throw new Error(`${url} gave no session id`);
  await post(url, agent, { method: 'notifications/initialized' }, sessionId);
  async function callTool(name: string, args: object): Promise<string> {
    const message = { id: id++, method: 'tools/call', params: { name, arguments: args } };
    const { status, body } = await post(url, agent, message, sessionId);
    if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
    return body;
  }
  return {
    async call() {
      const body = await callTool('noop', {});
      if (!body.includes('"ok":true')) throw new Error(body);
    },
    callTool,
    close: () => agent.destroy(),
  };
}

function post(url: string, agent: Agent, message: object, sessionId?: string): Promise<Answer> {
  return postJson(url, agent, JSON.stringify({ jsonrpc: '2.0', ...message }), sessionId);
}

export function postJson(url: string, agent: Agent, json: string, sessionId?: string): Promise<Answer> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(sessionId ? { 'mcp-session-id': sessionId, 'mcp-protocol-version': PROTOCOL_VERSION } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        const id = response.headers['mcp-session-id'];
        resolve({
          status: response.statusCode ?? 0,
          sessionId: typeof id === 'string' ? id : undefined,
          body,
        });
      });
    });
    sent.on('error', reject);
    sent.end(json);
  });
}
