import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Channel, JsonRpcMessage } from '@nexus/core';
import { createEarlyCancels } from './early-cancels.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { openSseConnection, type SseConnection } from './sse/connection.ts';
import { readEventId } from './sse/event-id.ts';
import { createEventLog } from './sse/event-log.ts';
import type { SseStream } from './sse/stream.ts';
import { createSseStreams } from './sse/streams.ts';

export interface SessionLimits {
  readonly maxQueuedBytes: number;
  readonly maxStreamMs?: number | undefined;
  readonly replayBytes: number;
  readonly streamAfterMs: number;
  readonly stallMs: number;
}

/** One client's session over HTTP: many requests and streams, one channel. */
export interface HttpSession {
  /** The value of Mcp-Session-Id; known to this client alone. */
  readonly id: string;
  readonly channel: Channel;
  /** Requests of the client that wait for their answer, or whose answer waits to be read. */
  readonly inFlight: number;
  readonly openStreams: number;
  /** Whether a request of this id waits for its answer already. */
  isPending(id: string | number): boolean;
  /**
   * A request, whose answer goes to `response`.
   * @param cameAtMs when its headers came, by `performance.now()`
   */
  request(
    message: JsonRpcMessage & { id: string | number },
    response: ServerResponse,
    cameAtMs: number,
  ): void;
  /** A notification or the answer to a request of the server's. */
  accept(message: JsonRpcMessage): void;
  /** Opens the stream of what belongs to no request, or takes one up after the event the client saw last. */
  listen(response: ServerResponse, lastEventId: string | undefined): 'opened' | 'exhausted' | 'unknown';
  beat(): void;
  /** Ends the session as the client's DELETE does. */
  end(): void;
}

type Handlers = Parameters<Channel['start']>[0];

/** @param ended called once when the session has ended, from either side */
export function createHttpSession(
  limits: SessionLimits,
  rights: Pick<Channel, 'user' | 'mayCall'>,
  ended: () => void,
): HttpSession {
  const id = randomBytes(24).toString('base64url');
  const headers = { 'mcp-session-id': id };
  const streams = createSseStreams(createEventLog(limits.replayBytes));
  const pending = new Map<string | number, Exchange>();
  const early: JsonRpcMessage[] = [];
  const earlyCancels = createEarlyCancels();
  /** Answers that the client has not taken yet: as much of a burden as requests that run. */
  let unread = 0;
  let handlers: Handlers | undefined;
  let hasEnded = false;

  function deliver(message: JsonRpcMessage): void {
    if (handlers) handlers.message(message);
    else early.push(message);
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    ended();
    for (const exchange of pending.values()) exchange.abandon();
    pending.clear();
    streams.end();
    handlers?.closed();
  }

  const channel: Channel = {
    ...rights,
    kind: 'http',
    trust: 'network',
    traceparentOf: (requestId) => pending.get(requestId)?.traceparent,
    start(given) {
      handlers = given;
      for (const message of early.splice(0)) given.message(message);
      if (hasEnded) process.nextTick(given.closed);
    },
    async send(message, { relatedRequestId } = {}) {
      if (hasEnded) return;
      if (message.method === undefined) {
        const exchange = message.id === undefined ? undefined : pending.get(message.id);
        if (!exchange || message.id === undefined) return;
        // What can't be written throws here, while the request still waits for another answer.
        const data = JSON.stringify(message);
        pending.delete(message.id);
        earlyCancels.ended(message.id);
        unread += 1;
        return exchange.answer(data).finally(() => {
          unread -= 1;
        });
      }
      const related = relatedRequestId === undefined ? undefined : pending.get(relatedRequestId);
      if (related) return related.send(message);
      // Nobody would answer a question on a stream that the client does not read.
      const isQuestion = message.id !== undefined;
      const other = isQuestion && !streams.standalone.isConnected ? [...pending.values()].at(-1) : undefined;
      await (other ?? streams.standalone).send(message);
    },
    async close() {
      end();
    },
  };

  function connect(response: ServerResponse, stream: SseStream): SseConnection {
    const connection = openSseConnection(response, {
      headers,
      maxQueuedBytes: limits.maxQueuedBytes,
      maxMs: limits.maxStreamMs,
      stallMs: limits.stallMs,
      dropped: () => stream.detach(connection),
    });
    return connection;
  }

  return {
    id,
    channel,
    get inFlight() {
      return pending.size + unread;
    },
    get openStreams() {
      return streams.connected();
    },
    isPending: (requestId) => pending.has(requestId),
    request(message, response, cameAtMs) {
      const exchange = startExchange({
        response,
        headers,
        streamAfterMs: limits.streamAfterMs,
        stallMs: limits.stallMs,
        openStream() {
          const stream = streams.open(message.id);
          stream.attach(connect(response, stream));
          return stream;
        },
      });
      if (earlyCancels.has(message.id, cameAtMs)) {
        earlyCancels.ended(message.id);
        return exchange.abandon();
      }
      pending.set(message.id, exchange);
      deliver(message);
    },
    accept(message) {
      deliver(message);
      if (message.method !== 'notifications/cancelled') return;
      const requestId = message.params?.requestId as string | number;
      const exchange = pending.get(requestId);
      if (!exchange) return earlyCancels.add(requestId);
      // A cancelled request gets no answer (MCP 2025-11-25, Cancellation), and its stream must end.
      exchange.abandon();
      pending.delete(requestId);
      earlyCancels.ended(requestId);
    },
    listen(response, lastEventId) {
      if (lastEventId === undefined) {
        streams.standalone.attach(connect(response, streams.standalone));
        return 'opened';
      }
      const position = readEventId(lastEventId);
      const stream = position && streams.get(position.stream);
      if (!stream) return 'unknown';
      if (stream.isExhausted(position.sequence)) return 'exhausted';
      stream.attach(connect(response, stream), position.sequence);
      return 'opened';
    },
    beat: streams.beat,
    end,
  };
}
