import { Buffer } from 'node:buffer';
import type { JsonRpcMessage } from '@nexus/core';
import { readLine } from '../../json-lines/read-line.ts';
import type { Link } from './link.ts';
import { isEndedByStop, lostAnswer } from './lost-answer.ts';
import { createProgressOffsets } from './progress-offsets.ts';
import { createServerRequests } from './server-requests.ts';
import { createSessionMemory } from './session-memory.ts';
import { createToolHints } from './tool-hints.ts';

/** How long an owner that ends calls because it is stopping may take to be gone. */
const STOP_MS = 6_000;

/** A line of the host, kept as it came: what the owner gets is what the host wrote. */
export interface HostLine {
  readonly line: Buffer;
  /** Absent when the line is faulty: the owner refuses it, as it would on its own stdio. */
  readonly message: JsonRpcMessage | undefined;
}

interface InFlight {
  readonly request: JsonRpcMessage;
  readonly line: Buffer;
  /** Hands on the stopping owner's answer should it, against its word, stay. */
  held?: NodeJS.Timeout;
}

/** What passes between one host and the owners that follow each other, and what is open between them. */
export interface Conversation {
  fromHost(item: HostLine, to: Link): void;
  fromOwner(bytes: Buffer, from: Link): void;
  /** Answers at once what may not run again, and takes back what the owner had asked. */
  ownerGone(): void;
  /** Tells the next owner what the session was, then sends again what is open and may run twice. */
  goOn(next: Link): Promise<void>;
  readonly openRequests: number;
  /** No owner will answer any more. */
  end(): void;
}

export function createConversation(toHost: (line: string | Uint8Array) => void): Conversation {
  const inFlight = new Map<unknown, InFlight>();
  const session = createSessionMemory();
  const hints = createToolHints();
  const serverRequests = createServerRequests();
  const progress = createProgressOffsets();

  /** The request is answered, or nobody waits for its answer any more. */
  function close(id: unknown): void {
    const open = inFlight.get(id);
    if (!open) return;
    clearTimeout(open.held);
    inFlight.delete(id);
    progress.answered(open.request);
  }

  function abandon({ request }: InFlight): void {
    close(request.id);
    toHost(encode(lostAnswer(request)));
  }

  function answered(message: JsonRpcMessage, bytes: Buffer): void {
    const open = inFlight.get(message.id);
    const line = withNewline(bytes);
    if (open && !open.held && isEndedByStop(message)) {
      open.held = setTimeout(() => {
        close(message.id);
        toHost(line);
      }, STOP_MS).unref();
      return;
    }
    if (open) {
      close(message.id);
      session.answered(open.request, message);
      if (open.request.method === 'tools/list') hints.learn(message.result);
    }
    toHost(line);
  }

  /** The owner's message as the host may see it; the same object where nothing has to change. */
  function translate(message: JsonRpcMessage): JsonRpcMessage {
    const { id, method, params } = message;
    if (id !== undefined) return serverRequests.toHost(message, id);
    if (method === 'notifications/progress') return progress.toHost(message);
    if (method !== 'notifications/cancelled') return message;
    const requestId = serverRequests.hostId(params?.requestId);
    return requestId === params?.requestId ? message : { ...message, params: { ...params, requestId } };
  }

  return {
    fromHost({ line, message }, to) {
      if (message?.method === undefined && message?.id !== undefined) {
        const id = serverRequests.ownerId(message.id);
        if (id === undefined) return;
        to.write(id === message.id ? line : encode({ ...message, id }));
        return;
      }
      if (message?.id !== undefined) inFlight.set(message.id, { request: message, line });
      else if (message) session.notified(message);
      if (message?.method === 'notifications/cancelled') close(message.params?.requestId);
      to.write(line);
    },
    fromOwner(bytes, from) {
      const parsed = readLine(bytes);
      if (!parsed) return;
      if (parsed.kind !== 'message') {
        toHost(withNewline(bytes));
        return;
      }
      const { message } = parsed;
      if (message.method === undefined) {
        if (!from.takeAnswer(message)) answered(message, bytes);
        return;
      }
      const translated = translate(message);
      toHost(translated === message ? withNewline(bytes) : encode(translated));
    },
    ownerGone() {
      for (const requestId of serverRequests.ownerGone()) {
        const params = { requestId, reason: 'the server that asked has stopped' };
        toHost(encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
      }
      progress.ownerGone();
      for (const open of [...inFlight.values()]) {
        clearTimeout(open.held);
        delete open.held;
        if (hints.mayRepeat(open.request) === false) abandon(open);
      }
    },
    async goOn(next) {
      await session.replay(next);
      const isUnknown = ({ request }: InFlight) => hints.mayRepeat(request) === undefined;
      if (session.isInitialized && [...inFlight.values()].some(isUnknown)) await hints.learnFrom(next);
      for (const open of [...inFlight.values()]) {
        if (hints.mayRepeat(open.request)) next.write(open.line);
        else abandon(open);
      }
    },
    get openRequests() {
      return inFlight.size;
    },
    end() {
      for (const open of [...inFlight.values()]) abandon(open);
    },
  };
}

function encode(message: JsonRpcMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** A copy, since the bytes of a line are lent only while it is read. */
export function withNewline(bytes: Buffer): Buffer {
  const line = Buffer.allocUnsafe(bytes.length + 1);
  bytes.copy(line);
  line[bytes.length] = 0x0a;
  return line;
}
