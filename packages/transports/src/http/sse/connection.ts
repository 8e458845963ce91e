import type { ServerResponse } from 'node:http';
import { cutOffWhenStalled } from '../respond.ts';

/** One HTTP answer that carries server-sent events. */
export interface SseConnection {
  /** Resolves when the client has taken what was queued, or is gone. */
  write(text: string): Promise<void>;
  /** Shows the client, and everything between, that this end is alive; cuts off one that reads nothing. */
  beat(): void;
  end(): void;
}

export interface SseConnectionOptions {
  /** A client that leaves more than this unread beside one message is cut off. */
  readonly maxQueuedBytes: number;
  /** How long the client may take nothing after the end. */
  readonly stallMs: number;
  readonly headers: Readonly<Record<string, string>>;
  /** After this long the connection ends, and the client takes the stream up on a new one. */
  readonly maxMs?: number | undefined;
  /** The client has gone, was cut off, or is to come back; not called after `end`. */
  dropped(): void;
}

const KEEP_ALIVE = ': keep-alive\n\n';

export function openSseConnection(response: ServerResponse, options: SseConnectionOptions): SseConnection {
  let release = () => {};
  let drained: Promise<void> | undefined;
  let isStalled = false;
  let isOver = false;

  const settle = () => {
    drained = undefined;
    isStalled = false;
    release();
  };
  const drop = () => {
    if (isOver) return;
    isOver = true;
    options.dropped();
  };
  const cutOff = () => {
    drop();
    response.destroy();
  };
  const { maxMs } = options;
  const timer = maxMs === undefined ? undefined : setTimeout(sendAway, maxMs);
  function sendAway(): void {
    drop();
    finish();
  }
  function finish(): void {
    response.end();
    cutOffWhenStalled(response, options.stallMs);
  }
  response.on('drain', settle);
  response.once('close', () => {
    clearTimeout(timer);
    settle();
    drop();
  });
  response.writeHead(200, {
    ...options.headers,
    'content-type': 'text/event-stream',
    // `no-transform` and the second keep proxies from collecting events before they pass them on.
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();

  function write(text: string): Promise<void> {
    if (isOver) return Promise.resolve();
    if (response.writableLength > options.maxQueuedBytes) {
      cutOff();
      return Promise.resolve();
    }
    if (response.write(text)) return Promise.resolve();
    drained ??= new Promise((resolve) => {
      release = resolve;
    });
    return drained;
  }

  return {
    write,
    beat() {
      if (isOver) return;
      if (!drained) void write(KEEP_ALIVE);
      // Nothing was taken since the last beat.
      else if (isStalled) cutOff();
      else isStalled = true;
    },
    end() {
      if (isOver) return;
      isOver = true;
      finish();
    },
  };
}
