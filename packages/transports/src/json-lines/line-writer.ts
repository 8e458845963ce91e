import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';

/** How long an ended writer waits for a slow reader before it gives up. */
const FLUSH_TIMEOUT_MS = 2000;

/**
 * Lines of one turn leave together, up to so much: a write to the system costs more than all else that a short
 * line needs.
 */
const BUFFERED_BYTES = 64 * 1024;

const HANDED_ON = Promise.resolve();

export interface LineWriter {
  /**
   * Resolves when the line is handed on, which waits for a slow reader; after the end, lines are dropped.
   * @param line with its newline
   */
  write(line: string | Uint8Array): Promise<void>;
  /** Bytes that the peer has not taken yet. */
  readonly queuedBytes: number;
  /** Hands on at once what is held for the turn; for whoever ends the stream by itself. */
  handOn(): void;
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
  let buffered: (string | Uint8Array)[] = [];
  let bufferedBytes = 0;
  let willHandOn = false;
  // One message may be larger than the bound and must still pass.
  let largestQueued = 0;

  const queuedBytes = () => writable.writableLength + bufferedBytes;

  function handOn(): void {
    willHandOn = false;
    if (buffered.length === 0) return;
    const lines = buffered;
    buffered = [];
    bufferedBytes = 0;
    if (writable.write(joined(lines))) release();
  }

  function release(): void {
    if (waiting.length === 0) return;
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
    buffered = [];
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
      return queuedBytes();
    },
    write(line) {
      if (!isOpen) return HANDED_ON;
      const queued = queuedBytes();
      if (queued === 0) largestQueued = 0;
      if (queued > options.maxQueuedBytes + largestQueued) {
        fail(`the peer left more than ${options.maxQueuedBytes} bytes unread`);
        writable.destroy();
        return HANDED_ON;
      }
      largestQueued = Math.max(largestQueued, line.length);
      buffered.push(line);
      bufferedBytes += line.length;
      const isFull = queued + line.length >= writable.writableHighWaterMark;
      const handedOn = isFull ? new Promise<void>((resolve) => waiting.push(resolve)) : HANDED_ON;
      if (bufferedBytes >= BUFFERED_BYTES) handOn();
      else if (!willHandOn) {
        willHandOn = true;
        process.nextTick(handOn);
      }
      return handedOn;
    },
    handOn,
    async end() {
      handOn();
      shut();
      await flush(writable);
      if (!writable.writableFinished) writable.destroy();
    },
  };
}

function joined(lines: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first = ''] = lines;
  if (lines.length === 1) return first;
  if (lines.every((line) => typeof line === 'string')) return lines.join('');
  return Buffer.concat(lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : line)));
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
