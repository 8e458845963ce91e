import type { ServerResponse } from 'node:http';

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
  readonly headers: Readonly<Record<string, string>>;
  /** The client has gone or was cut off; not called after `end`. */
  dropped(): void;
}

const KEEP_ALIVE = ': keep-alive\n\n';

export function openSseConnection(response: ServerResponse, options: SseConnectionOptions): SseConnection {
  let release = () => {};
  let drained: Promise<void> | undefined;
  let isStalled = false;
  let hasEnded = false;

  const isOpen = () => !hasEnded && !response.destroyed;
  const settle = () => {
    drained = undefined;
    isStalled = false;
    release();
  };
  response.on('drain', settle);
  response.once('close', () => {
    settle();
    if (!hasEnded) options.dropped();
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
    if (!isOpen()) return Promise.resolve();
    if (response.writableLength > options.maxQueuedBytes) {
      response.destroy();
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
      if (!isOpen()) return;
      if (!drained) void write(KEEP_ALIVE);
      // Nothing was taken since the last beat.
      else if (isStalled) response.destroy();
      else isStalled = true;
    },
    end() {
      if (!isOpen()) return;
      hasEnded = true;
      response.end();
    },
  };
}
