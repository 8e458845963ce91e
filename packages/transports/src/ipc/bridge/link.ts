import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { JsonRpcMessage } from '@nexus/core';
import { createLineWriter } from '../../json-lines/line-writer.ts';
import { createLineSplitter } from '../../json-lines/split-lines.ts';
import { HUNG_AFTER_MS } from '../patience.ts';
import { readToTheEnd } from './read-to-the-end.ts';

/** Ids of the bridge's own requests; no host makes such ids. */
const OWN_ID = 'nexus-bridge:';

/** How often it is looked whether the owner says anything; asked for a sign, it answers at once. */
const TICK_MS = 5_000;
const PING_AFTER_TICKS = 2;
const HUNG_AFTER_TICKS = HUNG_AFTER_MS / TICK_MS;

/** The owner went away; what was asked of it is without an answer. */
export class LinkLost extends Error {}

/** The owner is there, and does not answer. */
export class OwnerSilent extends Error {}

/** One connection to one owner. */
export interface Link {
  write(line: string | Uint8Array): void;
  /**
   * A request of the bridge's own, whose answer the host never sees.
   * @throws {OwnerSilent} after that time
   */
  ask(
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
    withinMs: number,
  ): Promise<JsonRpcMessage>;
  /** Takes an answer to a request of the bridge's own; false for any other message. */
  takeAnswer(message: JsonRpcMessage): boolean;
  readonly queuedBytes: number;
  pause(): void;
  resume(): void;
  /** The host has stopped asking; answers still come. */
  end(): void;
  destroy(): void;
}

export interface LinkHandlers {
  line(bytes: Buffer): void;
  drained(): void;
  /** Once; a line that was not whole by then is dropped, so its request counts as unanswered. */
  lost(link: Link, isHung: boolean): void;
}

export function createLink(socket: Socket, handlers: LinkHandlers): Link {
  const asked = new Map<string, { resolve(answer: JsonRpcMessage): void; reject(error: Error): void }>();
  let count = 0;
  let isLost = false;
  let isPaused = false;
  /** Of this process's own time: what stopped both is no sign that the owner hangs. */
  let silentTicks = 0;
  const lose = (isHung = false) => {
    if (isLost) return;
    isLost = true;
    clearInterval(watch);
    socket.destroy();
    for (const { reject } of asked.values()) reject(new LinkLost('the owner went away'));
    handlers.lost(link, isHung);
  };
  const watch = setInterval(() => {
    if (isPaused) return;
    silentTicks += 1;
    if (silentTicks >= HUNG_AFTER_TICKS) lose(true);
    else if (silentTicks === PING_AFTER_TICKS) link.ask('ping', undefined, HUNG_AFTER_MS).catch(() => {});
  }, TICK_MS).unref();
  const writer = createLineWriter(socket, {
    // The bridge stops reading its host long before; see its pausing.
    maxQueuedBytes: Number.POSITIVE_INFINITY,
    drained: handlers.drained,
    failed: () => lose(),
  });
  const splitter = createLineSplitter(Number.POSITIVE_INFINITY, {
    line: handlers.line,
    overlong() {},
  });
  const link: Link = {
    write: (line) => void writer.write(line),
    ask(method, params, withinMs) {
      const id = `${OWN_ID}${++count}`;
      const answer = new Promise<JsonRpcMessage>((resolve, reject) => {
        const late = () => {
          asked.delete(id);
          reject(new OwnerSilent(`the owner did not answer ${method} within ${withinMs} ms`));
        };
        const timer = setTimeout(late, withinMs).unref();
        asked.set(id, {
          resolve(message) {
            clearTimeout(timer);
            resolve(message);
          },
          reject(error) {
            clearTimeout(timer);
            reject(error);
          },
        });
      });
      link.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return answer;
    },
    takeAnswer(message) {
      if (typeof message.id !== 'string' || message.method !== undefined) return false;
      const waiting = asked.get(message.id);
      if (!waiting) return false;
      asked.delete(message.id);
      waiting.resolve(message);
      return true;
    },
    get queuedBytes() {
      return writer.queuedBytes;
    },
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      isPaused = false;
      silentTicks = 0;
      socket.resume();
    },
    end() {
      writer.handOn();
      socket.end();
    },
    destroy: () => void socket.destroy(),
  };
  socket.on('end', () => lose());
  socket.on('close', () => lose());
  readToTheEnd(socket, (chunk) => {
    silentTicks = 0;
    if (!isLost) splitter.write(chunk);
  });
  if (socket.destroyed) process.nextTick(() => lose());
  return link;
}
