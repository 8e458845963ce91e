import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Channel } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { errorLine } from './error-line.ts';
import { createLineWriter } from './line-writer.ts';
import { type Parsed, refuseUnread } from './parse-message.ts';
import { readInTurns, readLine } from './read-line.ts';
import { createLineSplitter } from './split-lines.ts';

export const DEFAULT_MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
export const DEFAULT_MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/**
 * Above this much unread output no further input is read, so a client that asks without reading is slowed
 * down before it is cut off. Far above a pipe's own buffer, so that a client may ask a lot, then read.
 */
export const PAUSE_INPUT_AT_BYTES = 1024 * 1024;

/**
 * Then other peers have their turn: Node reads two megabytes from one stream before it looks at another,
 * and they may hold ten thousand messages.
 */
const TURN_MS = 10;

/** A longer line is read in several turns: a megabyte of small objects takes some 20 ms. */
const LONG_BYTES = 1024 * 1024;

export interface JsonLinesOptions {
  /** For logs: `stdio`, `ipc`. */
  readonly kind: string;
  readonly readable: Readable;
  /** The same object as `readable` for a socket. */
  readonly writable: Writable;
  readonly log: Log;
  /** A longer line is discarded while it streams, and answered with -32600. Default 16 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** A peer that leaves more than this unread is disconnected. Default 64 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /**
   * Told of each faulty line, which is then not answered. For the output of a server that this process
   * started: what is printed there by mistake is nobody's request.
   * @param answers the id of the request that a faulty response was to answer
   */
  readonly faulty?: ((reason: string, answers?: string | number) => void) | undefined;
}

type Handlers = Parameters<Channel['start']>[0];

/**
 * A channel of JSON-RPC messages, one a line of UTF-8. Faulty lines are never delivered: they are answered
 * here, or told to `faulty`.
 *
 * `closed` is called once: at the end of input, when the peer is gone, or by `close`. After the end of
 * input, messages can still be sent until `close` (a peer may stop asking and still read answers). A message
 * sent after that is dropped without an error, as one sent just before is when the peer has gone.
 */
export function jsonLinesChannel(options: JsonLinesOptions): Channel {
  const { readable, writable, log, kind } = options;
  const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  let handlers: Handlers | undefined;
  let state: 'open' | 'ended' | 'told' = 'open';

  const writer = createLineWriter(writable, {
    maxQueuedBytes: options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES,
    // Before the start nobody listens, and a resumed stream would lose what it reads.
    drained: () => handlers && resume(),
    failed(reason) {
      log.info('channel closed', { kind, reason });
      endInput();
    },
  });

  function write(line: string): Promise<void> {
    const written = writer.write(line);
    if (writer.queuedBytes > PAUSE_INPUT_AT_BYTES && state === 'open') readable.pause();
    return written;
  }

  function deliver(parsed: Parsed): void {
    if (options.faulty && parsed.kind !== 'message') {
      options.faulty(parsed.kind === 'refused' ? parsed.error.message : parsed.reason, parsed.answers);
      return;
    }
    switch (parsed.kind) {
      case 'message':
        handlers?.message(parsed.message);
        break;
      case 'refused':
        log.debug('refused a line of input', { kind, ...parsed.error });
        void write(errorLine(parsed));
        break;
      case 'dropped':
        log.warn('dropped a faulty message that nobody waits for', { kind, reason: parsed.reason });
    }
  }

  /** Until the long lines that came are delivered; what came after them waits. */
  let reading: Promise<void> | undefined;

  /** In the order of the lines. */
  function afterReading(next: () => Promise<void> | void): void {
    const read = (reading ?? Promise.resolve()).then(next).then(() => {
      if (reading !== read) return;
      reading = undefined;
      resume();
    });
    reading = read;
    readable.pause();
  }

  function resume(): void {
    // What waits to be written decides by itself when reading goes on.
    if (!reading && writer.queuedBytes <= PAUSE_INPUT_AT_BYTES) readable.resume();
  }

  function take(parsed: Parsed | undefined): void {
    if (parsed && state !== 'told') deliver(parsed);
  }

  const splitter = createLineSplitter(maxMessageBytes, {
    line(bytes) {
      if (!reading && bytes.length <= LONG_BYTES) return take(readLine(bytes));
      // Its bytes are valid during this call.
      const own = Buffer.from(bytes);
      afterReading(async () => take(own.length > LONG_BYTES ? await readInTurns(own) : readLine(own)));
    },
    overlong(head, tail) {
      const reason = `the message is longer than ${maxMessageBytes} bytes`;
      const refused = refuseUnread(head.toString('latin1'), tail.toString('latin1'), reason);
      if (reading) afterReading(() => take(refused));
      else take(refused);
    },
  });

  /** No more messages will come: tell the session once, as soon as there is one. */
  function endInput(): void {
    if (state === 'open') state = 'ended';
    if (state === 'told' || !handlers) return;
    state = 'told';
    handlers.closed();
  }

  /** What came before the end of input is still delivered. */
  function endAfterReading(): void {
    if (reading) afterReading(endInput);
    else endInput();
  }

  /** Of this process's time, since others had a turn. */
  let takenMs = 0;
  const read = (chunk: Buffer) => {
    if (state !== 'open') return;
    const startedAt = performance.now();
    splitter.write(chunk);
    takenMs += performance.now() - startedAt;
    if (takenMs < TURN_MS) return;
    takenMs = 0;
    readable.pause();
    setImmediate(resume);
  };
  readable.once('end', () => {
    if (state === 'open') splitter.end();
    endAfterReading();
  });
  readable.once('close', endAfterReading);
  readable.on('error', (error) => {
    log.info('channel closed', { kind, reason: error.message });
    endInput();
  });

  return {
    kind,
    // Pipes, and a socket that only its user can open.
    trust: 'user',
    start(given) {
      handlers = given;
      if (state === 'ended' || readable.destroyed) {
        process.nextTick(endInput);
        return;
      }
      readable.on('data', read);
    },
    // What is no JSON rejects, as everything that can't be sent.
    send: (message, { isUrgent = false } = {}) => {
      try {
        const written = write(`${JSON.stringify(message)}\n`);
        if (isUrgent) writer.handOn();
        return written;
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async close() {
      endInput();
      // Input goes on being read and dropped, so that a peer that is still writing can reach our last lines.
      readable.resume();
      await writer.end();
      readable.destroy();
    },
  };
}
