import type { Writable } from 'node:stream';

/** How long an ended writer waits for a slow reader before it gives up. */
const FLUSH_TIMEOUT_MS = 2000;

export interface LineWriter {
  /**
   * Resolves when the line is handed on, which waits for a slow reader; after the end, lines are dropped.
   * @param line with its newline
   */
  write(line: string | Uint8Array): Promise<void>;
  /** Bytes that the peer has not taken yet. */
  readonly queuedBytes: number;
  /** Hands on what is queued, then closes the stream. */
  end(): Promise<void>;
}

export interface LineWriterOptions {
  /** More than this unread by the peer beside one message, and the writer fails instead of growing. */
  readonly maxQueuedBytes: number;
  drained(): void;
  /** Called once when lines can't be written any more, unless `end` was called first. */
  failed(reason: string): void;
}

export function createLineWriter(writable: Writable, options: LineWriterOptions): LineWriter {
  let isOpen = true;
  let waiting: (() => void)[] = [];
  let isHeld = false;
  // One message may be larger than the bound and must still pass.
  let largestQueued = 0;

  /** Lines of one turn leave together: a write to the system costs more than all else that a line needs. */
  function holdForThisTurn(): void {
    if (isHeld) return;
    isHeld = true;
    writable.cork();
    process.nextTick(() => {
      isHeld = false;
      writable.uncork();
    });
  }

  function release(): void {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  }

  function shut(): void {
    isOpen = false;
    release();
  }

  function fail(reason: string): void {
    if (!isOpen) return;
    shut();
    options.failed(reason);
  }

  writable.on('drain', () => {
    release();
    options.drained();
  });
  // Stays on after the end: a peer that goes away during the flush must not raise an unhandled error.
  writable.on('error', (error) => fail(error.message));
  writable.on('close', () => fail('the peer closed the connection'));

  return {
    get queuedBytes() {
      return writable.writableLength;
    },
    async write(line) {
      if (!isOpen) return;
      if (writable.writableLength === 0) largestQueued = 0;
      if (writable.writableLength > options.maxQueuedBytes + largestQueued) {
        fail(`the peer left more than ${options.maxQueuedBytes} bytes unread`);
        writable.destroy();
        return;
      }
      largestQueued = Math.max(largestQueued, line.length);
      holdForThisTurn();
      if (writable.write(line)) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async end() {
      shut();
      await flush(writable);
      if (!writable.writableFinished) writable.destroy();
    },
  };
}

function flush(writable: Writable): Promise<void> {
  if (writable.destroyed || writable.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FLUSH_TIMEOUT_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    writable.once('finish', done);
    writable.once('close', done);
    writable.end();
  });
}
