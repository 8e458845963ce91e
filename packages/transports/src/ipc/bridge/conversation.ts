import type { Buffer } from 'node:buffer';
import type { JsonRpcMessage } from '@nexus/core';
import {
  ANSWERED_BY,
  type AnsweredBy,
  MAY_REPEAT,
  type MayRepeat,
  TOLD_TO_BRIDGE,
  type ToldToBridge,
} from '@nexus/core/told-to-bridge';
import type { Log } from '@nexus/plugin-sdk';
import { readLine } from '../../json-lines/read-line.ts';
import type { HostLine } from './host-line.ts';
import { type Link, OwnerSilent } from './link.ts';
import { isEndedByStop, leftAnswer, lostAnswer, resumingRequest, saysStop } from './lost-answer.ts';
import { answeredIdOf } from './plain-lines.ts';
import { createProgressOffsets } from './progress-offsets.ts';
import { createServerRequests } from './server-requests.ts';
import { createSessionMemory } from './session-memory.ts';
import { createToolHints } from './tool-hints.ts';
import { withNewline } from './with-newline.ts';

/** How long an owner that ends calls because it is stopping may take to be gone. */
const STOP_MS = 6_000;

interface InFlight {
  readonly id: string | number;
  readonly asked: HostLine;
  /** As its owner said of what it passes on, in the place of its own tool's hints. */
  passed?: Pick<MayRepeat, 'mayRepeat'>;
  /** That it is answered by, as its owner said; the next one goes on with it. */
  runId?: string;
  /** Whether an owner was asked to, in the call's place. */
  isResumed?: boolean;
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
  /**
   * This process ends.
   * @param isOwnerThere whether it leaves an owner that may still be at work on what is open
   */
  end(isOwnerThere: boolean): void;
}

export function createConversation(toHost: (line: string | Uint8Array) => void, log: Log): Conversation {
  /** By id. Calls are here as soon as one can see their id, before anybody knows that they are JSON. */
  const inFlight = new Map<unknown, InFlight>();
  const session = createSessionMemory();
  const hints = createToolHints();
  const serverRequests = createServerRequests();
  const progress = createProgressOffsets();

  /** The request is answered, or nobody waits for its answer any more. */
  function close(id: unknown): void {
    const open = inFlight.get(id);
    if (!open) return;
    if (open.held) clearTimeout(open.held);
    inFlight.delete(id);
    progress.answered(open.asked);
  }

  function abandon(
    open: InFlight,
    answerTo = (request: JsonRpcMessage) => lostAnswer(request, open.runId),
  ): void {
    const { id, asked } = open;
    close(id);
    // A faulty line is refused by the owner that hears it, under no id.
    if (asked.message) toHost(encode(answerTo(asked.message)));
  }

  /** The owner could not read a line, which it then does not answer by its id. */
  function forgetFaulty(): void {
    for (const { id, asked } of [...inFlight.values()]) if (!asked.message) close(id);
  }

  function answered(message: JsonRpcMessage, bytes: Buffer): void {
    if (message.id === undefined) forgetFaulty();
    const open = inFlight.get(message.id);
    const line = withNewline(bytes);
    if (open && !open.held && isEndedByStop(message)) {
      open.held = setTimeout(() => {
        close(message.id);
        toHost(line);
      }, STOP_MS).unref();
      return;
    }
    if (open?.isResumed && message.error) {
      abandon(open); // what goes on with runs is not there
      return;
    }
    if (open) {
      close(message.id);
      const request = open.asked.message;
      if (request) session.answered(request, message);
      if (request?.method === 'tools/list') hints.learn(message.result);
    }
    toHost(line);
  }

  /** Whether this is the answer to a call, and nothing in it is for the bridge: it passes unread. */
  function isPlainAnswer(bytes: Buffer): boolean {
    const id = answeredIdOf(bytes);
    const open = id === undefined ? undefined : inFlight.get(id);
    if (open?.asked.callId === undefined || open.held || open.isResumed || saysStop(bytes)) return false;
    close(id);
    return true;
  }

  /** A faulty line is heard again like one that reads: its owner may have died before it refused it. */
  function mayRepeat({ asked: { message }, passed }: InFlight): boolean | undefined {
    if (passed) return passed.mayRepeat;
    return message ? hints.mayRepeat(message) : true;
  }

  /** Of several that a call passes on, all have to be such. */
  function learnRepeat({ requestId, mayRepeat }: MayRepeat): void {
    const open = inFlight.get(requestId);
    if (open) open.passed = { mayRepeat: mayRepeat && open.passed?.mayRepeat !== false };
  }

  /** Whether the next owner can answer with what a run comes to, in the place of the call. */
  function isOfRun(open: InFlight): open is InFlight & { readonly runId: string } {
    return open.runId !== undefined && mayRepeat(open) !== true;
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
    fromHost(asked, to) {
      const { line, callId } = asked;
      if (callId !== undefined) {
        inFlight.set(callId, { id: callId, asked });
        to.write(line);
        return;
      }
      const { message } = asked;
      if (message?.method === undefined && message?.id !== undefined) {
        const id = serverRequests.ownerId(message.id);
        if (id === undefined) return;
        to.write(id === message.id ? line : encode({ ...message, id }));
        return;
      }
      if (message?.id !== undefined) inFlight.set(message.id, { id: message.id, asked });
      else if (message) session.notified(message);
      if (message?.method === 'notifications/cancelled') close(message.params?.requestId);
      to.write(line);
    },
    fromOwner(bytes, from) {
      if (isPlainAnswer(bytes)) {
        toHost(withNewline(bytes));
        return;
      }
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
      if (message.method === TOLD_TO_BRIDGE) {
        const { level, message: text, fields } = message.params as unknown as ToldToBridge; // of this very build
        log[level](text, fields);
        return;
      }
      if (message.method === MAY_REPEAT) {
        learnRepeat(message.params as unknown as MayRepeat); // of this very build
        return;
      }
      if (message.method === ANSWERED_BY) {
        const { requestId, runId } = message.params as unknown as AnsweredBy; // of this very build
        const open = inFlight.get(requestId);
        if (open) open.runId = runId;
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
        if (mayRepeat(open) === false && !isOfRun(open)) abandon(open);
      }
    },
    async goOn(next) {
      await session.replay(next);
      const isUnknown = (open: InFlight) => mayRepeat(open) === undefined;
      if (session.isInitialized && [...inFlight.values()].some(isUnknown)) {
        // Calls that nobody can say of whether they may run twice are not made twice.
        await hints.learnFrom(next).catch((error: unknown) => {
          if (!(error instanceof OwnerSilent)) throw error;
        });
      }
      for (const open of [...inFlight.values()]) {
        const request = open.asked.message;
        if (isOfRun(open) && request) {
          open.isResumed = true;
          next.write(encode(resumingRequest(request, open.runId)));
        } else if (mayRepeat(open)) next.write(open.asked.line);
        else abandon(open);
      }
    },
    get openRequests() {
      return inFlight.size;
    },
    end(isOwnerThere) {
      for (const open of [...inFlight.values()]) {
        const left = (request: JsonRpcMessage) => leftAnswer(request, mayRepeat(open) === true);
        if (isOwnerThere) abandon(open, left);
        else abandon(open);
      }
    },
  };
}

function encode(message: JsonRpcMessage): string {
  return `${JSON.stringify(message)}\n`;
}
