import { type ClientRequest, type IncomingMessage, request } from 'node:http';

type Headers = Readonly<Record<string, string>>;

export interface SseEvent {
  readonly id?: string;
  readonly data?: unknown;
  readonly comment?: string;
}

/** An HTTP answer whose body is read only as far as it is asked for. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly response: IncomingMessage;
  text(): Promise<string>;
  json(): Promise<unknown>;
  /** The one iterator of the body's events, comments among them. */
  readonly events: AsyncIterableIterator<SseEvent>;
  /** The next event that carries a message. */
  message(): Promise<{ id: string; data: Record<string, unknown> }>;
  /** Breaks the connection. */
  drop(): void;
}

export interface SendInput {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Headers;
  /** In place of the token; null sends none. */
  readonly token?: string | null;
  readonly body?: unknown;
}

/** HTTP with none of the product's own reading or writing, and none of a client's conveniences. */
export function httpClient(url: string, token: string) {
  async function send({
    path = '/mcp',
    method = 'POST',
    headers = {},
    body,
    ...rest
  }: SendInput): Promise<Answer> {
    const bearer = rest.token === undefined ? token : rest.token;
    const outgoing = request(new URL(path, url), {
      method,
      agent: false,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
    });
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    outgoing.end(isRaw ? body : JSON.stringify(body));
    return answerOf(outgoing);
  }
  const withSession = (session: string): Headers => ({ 'mcp-session-id': session });
  return {
    send,
    /** Opens a session and answers its id. */
    async initialize(input: SendInput = {}): Promise<string> {
      const answer = await send({
        body: { jsonrpc: '2.0', id: 'init', method: 'initialize', params: {} },
        ...input,
      });
      if (answer.status !== 200) throw new Error(`initialize: ${answer.status} ${await answer.text()}`);
      await answer.text();
      return String(answer.headers['mcp-session-id']);
    },
    post: (session: string, body: unknown, headers: Headers = {}) =>
      send({ body, headers: { ...withSession(session), ...headers } }),
    listen: (session: string, lastEventId?: string) =>
      send({
        method: 'GET',
        headers: {
          ...withSession(session),
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
      }),
    remove: (session: string) => send({ method: 'DELETE', headers: withSession(session) }),
  };
}

export async function answerOf(outgoing: ClientRequest): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // A broken connection shows where the body is read.
  response.on('error', () => {});
  const events = readEvents(response);
  const text = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    response,
    text,
    json: async () => JSON.parse(await text()),
    events,
    async message() {
      for (;;) {
        const { done, value } = await events.next();
        if (done) throw new Error('the stream ended');
        if (value.data !== undefined) return value as { id: string; data: Record<string, unknown> };
      }
    },
    drop: () => void response.destroy(),
  };
}

/** By the HTML standard, section 9.2.6, as far as a server of ours may go. */
async function* readEvents(response: IncomingMessage): AsyncIterableIterator<SseEvent> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield readEvent(block);
  }
}

function readEvent(block: string): SseEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')] as const;
    }),
  );
  if (block.startsWith(':')) return { comment: block };
  const [id, data] = [fields.get('id'), fields.get('data')];
  return { ...(id === undefined ? {} : { id }), ...(data ? { data: JSON.parse(data) } : {}) };
}
