import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { JsonRpcMessage } from '@nexus/core';
import { createLineWriter } from '../../json-lines/line-writer.ts';
import { createLineSplitter } from '../../json-lines/split-lines.ts';

/** Ids of the bridge's own requests; no host makes such ids. */
const OWN_ID = 'nexus-bridge:';

/** The owner went away; what was asked of it is without an answer. */
export class LinkLost extends Error {}

/** One connection to one owner. */
export interface Link {
  write(line: string | Uint8Array): void;
  /** A request of the bridge's own, whose answer the host never sees. */
  ask(method: string, params: Readonly<Record<string, unknown>> | undefined): Promise<JsonRpcMessage>;
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
  lost(link: Link): void;
}

export function createLink(socket: Socket, handlers: LinkHandlers): Link {
  const asked = new Map<string, { resolve(answer: JsonRpcMessage): void; reject(error: Error): void }>();
  let count = 0;
  let isLost = false;
  const lose = () => {
    if (isLost) return;
    isLost = true;
    socket.destroy();
    for (const { reject } of asked.values()) reject(new LinkLost('the owner went away'));
    handlers.lost(link);
  };
  const writer = createLineWriter(socket, {
    // The bridge stops reading its host long before; see its pausing.
    maxQueuedBytes: Number.POSITIVE_INFINITY,
    drained: handlers.drained,
    failed: lose,
  });
  const splitter = createLineSplitter(Number.POSITIVE_INFINITY, {
    line: handlers.line,
    overlong() {},
  });
  const link: Link = {
    write: (line) => void writer.write(line),
    ask(method, params) {
      const id = `${OWN_ID}${++count}`;
      const answer = new Promise<JsonRpcMessage>((resolve, reject) => asked.set(id, { resolve, reject }));
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
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end() {
      writer.handOn();
      socket.end();
    },
    destroy: () => void socket.destroy(),
  };
  socket.on('end', lose);
  socket.on('close', lose);
  socket.on('data', (chunk: Buffer) => {
    if (!isLost) splitter.write(chunk);
  });
  if (socket.destroyed) process.nextTick(lose);
  return link;
}
