import type { JsonRpcMessage } from '@nexus/core';
import type { SseConnection } from './connection.ts';
import { eventId } from './event-id.ts';
import type { EventLog } from './event-log.ts';

/** What clients wait before they reconnect, where the stream ended in mid-air. */
const RETRY_MS = 1_000;

/** Events in order, over however many connections the client needs to read them. */
export interface SseStream {
  readonly id: number;
  /** Whether a connection carries it now. */
  readonly isConnected: boolean;
  /** No more events will come. */
  readonly isDone: boolean;
  /** Keeps the message for those who reconnect, and sends it if a client is connected. */
  send(message: JsonRpcMessage): Promise<void>;
  /** As `send`, of what is JSON already. */
  sendText(data: string): Promise<void>;
  /**
   * Takes the stream up on a new connection: what came after `sequence` first. An older connection ends.
   * @param sequence the last event the client has seen; by default the last that was ever sent
   */
  attach(connection: SseConnection, sequence?: number): void;
  /** Whether nothing is left to say to a client that has seen `sequence`. */
  isExhausted(sequence: number): boolean;
  /** The connection is gone; events are kept for the next. */
  detach(connection: SseConnection): void;
  beat(): void;
  end(): void;
}

export interface SseStreamOptions {
  readonly id: number;
  readonly log: EventLog;
  /** What to tell a client that comes back too late for some events. */
  describeGap(gap: Gap): JsonRpcMessage;
}

export interface Gap {
  /** How many events are kept no more. */
  readonly lost: number;
  /** The stream's last event is among them. */
  readonly isLastLost: boolean;
}

export function createSseStream({ id, log, describeGap }: SseStreamOptions): SseStream {
  let connection: SseConnection | undefined;
  let lastSequence = 0;
  let lastSent = 0;
  let isCatchingUp = false;
  let isDone = false;

  function write(sequence: number, data: string): Promise<void> {
    lastSent = sequence;
    const text = `event: message\nid: ${eventId({ stream: id, sequence })}\ndata: ${data}\n\n`;
    return connection?.write(text) ?? Promise.resolve();
  }

  function finish(): void {
    connection?.end();
    connection = undefined;
  }

  /** Sends what is kept no faster than the client reads; what comes meanwhile is kept and sent in its turn. */
  async function catchUp(next: SseConnection): Promise<void> {
    isCatchingUp = true;
    while (connection === next && lastSent < lastSequence) {
      const kept = log.after(id, lastSent);
      const lost = (kept[0]?.sequence ?? lastSequence + 1) - lastSent - 1;
      if (lost > 0) {
        lastSent += lost;
        const gap = describeGap({ lost, isLastLost: isDone && kept.length === 0 });
        await next.write(`event: message\ndata: ${JSON.stringify(gap)}\n\n`);
      }
      for (const event of kept) {
        if (connection !== next) return;
        await write(event.sequence, event.data);
      }
    }
    if (connection !== next) return;
    isCatchingUp = false;
    if (isDone) finish();
  }

  async function sendText(data: string): Promise<void> {
    lastSequence += 1;
    log.add({ stream: id, sequence: lastSequence, data });
    if (connection && !isCatchingUp) await write(lastSequence, data);
  }

  return {
    id,
    get isConnected() {
      return connection !== undefined;
    },
    get isDone() {
      return isDone;
    },
    send: async (message) => sendText(JSON.stringify(message)),
    sendText,
    attach(next, sequence = lastSent) {
      connection?.end();
      connection = next;
      lastSent = sequence;
      // An event of no data, so that the client can take up a stream that broke before its first message.
      void next.write(`id: ${eventId({ stream: id, sequence })}\nretry: ${RETRY_MS}\ndata: \n\n`);
      void catchUp(next);
    },
    isExhausted: (sequence) => isDone && sequence >= lastSequence,
    detach(gone) {
      if (connection === gone) connection = undefined;
    },
    beat: () => connection?.beat(),
    end() {
      isDone = true;
      if (!isCatchingUp || !connection) finish();
    },
  };
}
