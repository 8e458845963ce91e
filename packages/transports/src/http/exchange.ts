import type { ServerResponse } from 'node:http';
import type { JsonRpcMessage } from '@nexus/core';
import { cutOffWhenStalled, sendJson } from './respond.ts';
import type { SseStream } from './sse/stream.ts';

/** One request of the client on its way to an answer. */
export interface Exchange {
  /** What its request says in the HTTP header of that name (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Sends a message that belongs to the request: its progress, or a question while it runs. */
  send(message: JsonRpcMessage): Promise<void>;
  /** @param data the answer as JSON */
  answer(data: string): Promise<void>;
  /** Ends without an answer: cancelled, or the session has ended. */
  abandon(): void;
}

export interface ExchangeOptions {
  readonly response: ServerResponse;
  /** A quick answer is plain JSON; after this long a stream is opened, which can be taken up again. */
  readonly streamAfterMs: number;
  /** How long the client may take nothing of the answer. */
  readonly stallMs: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens a stream on the response. */
  openStream(): SseStream;
}

export function startExchange(options: ExchangeOptions): Exchange {
  const { response, headers } = options;
  let stream: SseStream | undefined;
  const timer = setTimeout(open, options.streamAfterMs);

  /** @returns undefined where the client went before there was a stream that it could take up again */
  function open(): SseStream | undefined {
    clearTimeout(timer);
    if (stream || response.destroyed) return stream;
    stream = options.openStream();
    return stream;
  }

  const { traceparent } = response.req.headers;
  return {
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    async send(message) {
      await open()?.send(message);
    },
    async answer(data) {
      clearTimeout(timer);
      if (!stream) return sendAnswer(options, data);
      const sent = stream.sendText(data);
      stream.end();
      await sent;
    },
    abandon() {
      clearTimeout(timer);
      if (stream) return stream.end();
      if (response.destroyed) return;
      // An empty stream: nothing to take up again.
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
      response.end();
    },
  };
}

/** Resolves when the client has taken it; a client that takes nothing is cut off. */
function sendAnswer({ response, headers, stallMs }: ExchangeOptions, data: string): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('close', resolve);
    sendJson(response, 200, data, headers);
    cutOffWhenStalled(response, stallMs);
  });
}
