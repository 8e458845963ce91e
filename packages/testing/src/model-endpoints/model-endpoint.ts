import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { answerList } from './model-list.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Body, FailedReply, FullReply, GoodReply, Reply, Wire } from './reply.ts';

const WIRES: readonly Wire[] = [anthropic, openaiChat, openaiResponses, google];
const SSE = { 'content-type': 'text/event-stream' };

/** One request as it arrived. */
export interface ModelRequestSeen {
  readonly wire: Wire['name'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  /** Why it was refused, as the provider would; undefined for a good one. */
  readonly fault: string | undefined;
}

/** What the endpoint answers: replies in order, or by what is asked. Without one left, it answers 500. */
export type EndpointScript =
  | readonly Reply[]
  | ((seen: ModelRequestSeen, index: number) => Reply | undefined);

export interface ModelEndpoint extends AsyncDisposable {
  /** Without a version at its end. */
  readonly url: string;
  /** Every request, oldest first. */
  readonly requests: readonly ModelRequestSeen[];
  /** The sum of the tokens that good answers gave out, whole ones only. */
  readonly usage: { readonly input: number; readonly output: number };
  /** Requests whose connection is open now. */
  readonly open: number;
}

export interface EndpointOptions {
  /** The names on its list of models. */
  readonly offered?: readonly string[];
  /** Told when the last byte of a good, whole answer was sent to a caller who was still there. */
  onAnswered?(seen: ModelRequestSeen, usage: { readonly input: number; readonly output: number }): void;
}

/**
 * A model's API on loopback, in the wire formats of Anthropic, OpenAI (both) and Google, streamed or not. It
 * refuses what the provider would: a missing key, and a history with an orphan.
 */
export async function modelEndpoint(
  script: EndpointScript,
  { offered = [], onAnswered }: EndpointOptions = {},
): Promise<ModelEndpoint> {
  const requests: ModelRequestSeen[] = [];
  const left = typeof script === 'function' ? [] : [...script];
  const usage = { input: 0, output: 0 };
  let open = 0;
  let toolCalls = 0;

  function complete({ text: said = '', tools = [], usage: own, stop }: GoodReply): FullReply {
    return {
      text: said,
      tools: tools.map(({ name, namespace, input, id }) => {
        toolCalls += 1;
        return {
          name,
          ...(namespace === undefined ? {} : { namespace }),
          input,
          id: id ?? `toolu_${toolCalls}`,
        };
      }),
      usage: { cached: 0, written: 0, ...(own ?? { input: 10, output: 5 }) },
      stop: stop ?? (tools.length > 0 ? 'tools' : 'end'),
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && pathname.endsWith('/models'))
      return answerList(request, response, offered);
    const wire = WIRES.find((each) => each.matches(pathname));
    const body = JSON.parse((await text(request)) || '{}') as Body;
    if (!wire || request.method !== 'POST')
      return void response.writeHead(404).end('{"error":{"message":"no such path"}}');
    const fault = wire.fault(body);
    const seen = { wire: wire.name, path: pathname, headers: request.headers, body, fault };
    requests.push(seen);
    const key = String(request.headers[wire.keyHeader] ?? '').replace(/^Bearer\s*/, '');
    if (key === '') return send(response, wire, { status: 401, message: 'missing or invalid key' });
    if (fault !== undefined) return send(response, wire, { status: 400, message: fault });
    const reply = typeof script === 'function' ? script(seen, requests.length - 1) : left.shift();
    if (!reply) return send(response, wire, { status: 500, message: 'the script has no further answer' });
    if ('hangs' in reply) return;
    if ('raw' in reply)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(reply.raw);
    if ('status' in reply) return send(response, wire, reply);
    await reply.until;
    // Who has gone is given nothing out.
    if (response.destroyed) return;
    const full = complete(reply);
    if (onAnswered && reply.breakAfter === undefined)
      response.once('finish', () => onAnswered(seen, full.usage));
    if (!wire.streams(pathname, body)) {
      usage.input += full.usage.input;
      usage.output += full.usage.output;
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(wire.whole(full, body)));
    }
    response.writeHead(200, SSE);
    const events = wire.events(full, body);
    if (reply.breakAfter !== undefined) {
      const some = wire.events({ ...full, text: full.text.slice(0, reply.breakAfter) }, body);
      // Without its ending: the last third says that it is whole.
      response.write(some.slice(0, Math.ceil(some.length / 2)).join(''), () => response.destroy());
      return;
    }
    usage.input += full.usage.input;
    usage.output += full.usage.output;
    for (const event of events) response.write(event);
    response.end();
  }

  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    usage,
    get open() {
      return open;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(
  response: ServerResponse,
  wire: Wire,
  { status, message = 'as scripted', headers, inStream }: FailedReply,
): void {
  const body = JSON.stringify(wire.error(status, message));
  if (!inStream)
    return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  response.writeHead(200, SSE).end(`event: error\ndata: ${body}\n\n`);
}
