import { JSON_RPC } from '@nexus/core/errors';
import type { EventLog } from './event-log.ts';
import { createSseStream, type SseStream } from './stream.ts';

/** Ended streams that a client may still come back to; each is a few words of memory. */
const MAX_ENDED = 256;

/** The streams of one session: one for what belongs to no request, and one per long request. */
export interface SseStreams {
  readonly standalone: SseStream;
  /** @param requestId the request that the stream is to answer */
  open(requestId: string | number): SseStream;
  get(id: number): SseStream | undefined;
  /** How many are being read. */
  connected(): number;
  beat(): void;
  end(): void;
}

export function createSseStreams(log: EventLog): SseStreams {
  const streams = new Map<number, SseStream>();
  let nextId = 0;

  function add(requestId?: string | number): SseStream {
    const stream = createSseStream({
      id: nextId++,
      log,
      describeGap({ lost, isLastLost }) {
        const message = `${lost === 1 ? '1 event is lost: it came' : `${lost} events are lost: they came`} while this stream was not read, and more came after them than is kept`;
        return isLastLost && requestId !== undefined
          ? { jsonrpc: '2.0', id: requestId, error: { code: JSON_RPC.internalError, message } }
          : {
              jsonrpc: '2.0',
              method: 'notifications/message',
              params: { level: 'warning', logger: 'nexus', data: { message, lost } },
            };
      },
    });
    streams.set(stream.id, stream);
    return stream;
  }

  function forgetOldest(): void {
    const ended = [...streams.values()].filter(({ isDone }) => isDone);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) streams.delete(id);
  }

  const standalone = add();
  return {
    standalone,
    open(requestId) {
      if (streams.size > MAX_ENDED) forgetOldest();
      return add(requestId);
    },
    get: (id) => streams.get(id),
    connected: () => [...streams.values()].filter(({ isConnected }) => isConnected).length,
    beat() {
      for (const stream of streams.values()) stream.beat();
    },
    end() {
      for (const stream of streams.values()) stream.end();
    },
  };
}
