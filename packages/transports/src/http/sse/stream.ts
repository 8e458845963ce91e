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

export function createSseStream(options: SseStreamOptions): SseStream {
  return new Stream(options);
}

/** A class for its price: accessors of an object literal are made anew for each request. */
class Stream implements SseStream {
  readonly id: number;
  readonly #log: EventLog;
  readonly #describeGap: SseStreamOptions['describeGap'];
  #connection: SseConnection | undefined;
  #lastSequence = 0;
  #lastSent = 0;
  #isCatchingUp = false;
  #isDone = false;

  constructor({ id, log, describeGap }: SseStreamOptions) {
    this.id = id;
    this.#log = log;
    this.#describeGap = describeGap;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  async send(message: JsonRpcMessage): Promise<void> {
    return this.sendText(JSON.stringify(message));
  }

  async sendText(data: string): Promise<void> {
    this.#lastSequence += 1;
    this.#log.add({ stream: this.id, sequence: this.#lastSequence, data });
    if (this.#connection && !this.#isCatchingUp) await this.#write(this.#lastSequence, data);
  }

  attach(next: SseConnection, sequence = this.#lastSent): void {
    this.#connection?.end();
    this.#connection = next;
    this.#lastSent = sequence;
    // An event of no data, so that the client can take up a stream that broke before its first message.
    void next.write(`id: ${eventId({ stream: this.id, sequence })}\nretry: ${RETRY_MS}\ndata: \n\n`);
    void this.#catchUp(next);
  }

  isExhausted(sequence: number): boolean {
    return this.#isDone && sequence >= this.#lastSequence;
  }

  detach(gone: SseConnection): void {
    if (this.#connection === gone) this.#connection = undefined;
  }

  beat(): void {
    this.#connection?.beat();
  }

  end(): void {
    this.#isDone = true;
    if (!this.#isCatchingUp || !this.#connection) this.#finish();
  }

  #write(sequence: number, data: string): Promise<void> {
    this.#lastSent = sequence;
    const text = `event: message\nid: ${eventId({ stream: this.id, sequence })}\ndata: ${data}\n\n`;
    return this.#connection?.write(text) ?? Promise.resolve();
  }

  #finish(): void {
    this.#connection?.end();
    this.#connection = undefined;
  }

  /** Sends what is kept no faster than the client reads; what comes meanwhile is kept and sent in its turn. */
  async #catchUp(next: SseConnection): Promise<void> {
    this.#isCatchingUp = true;
    while (this.#connection === next && this.#lastSent < this.#lastSequence) {
      const kept = this.#log.after(this.id, this.#lastSent);
      const lost = (kept[0]?.sequence ?? this.#lastSequence + 1) - this.#lastSent - 1;
      if (lost > 0) {
        this.#lastSent += lost;
        const gap = this.#describeGap({ lost, isLastLost: this.#isDone && kept.length === 0 });
        await next.write(`event: message\ndata: ${JSON.stringify(gap)}\n\n`);
      }
      for (const event of kept) {
        if (this.#connection !== next) return;
        await this.#write(event.sequence, event.data);
      }
    }
    if (this.#connection !== next) return;
    this.#isCatchingUp = false;
    if (this.#isDone) this.#finish();
  }
}
