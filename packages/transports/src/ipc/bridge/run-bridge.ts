import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Log } from '@nexus/plugin-sdk';
import {
  DEFAULT_MAX_MESSAGE_BYTES,
  DEFAULT_MAX_QUEUED_BYTES,
  PAUSE_INPUT_AT_BYTES,
} from '../../json-lines/channel.ts';
import { errorLine } from '../../json-lines/error-line.ts';
import { createLineWriter } from '../../json-lines/line-writer.ts';
import { refuseUnread } from '../../json-lines/parse-message.ts';
import { isBlank } from '../../json-lines/read-line.ts';
import { createLineSplitter } from '../../json-lines/split-lines.ts';
import { createBufferedLines } from './buffered-lines.ts';
import { createConversation } from './conversation.ts';
import { HostLine } from './host-line.ts';
import { createLink, type Link, LinkLost, OwnerSilent } from './link.ts';

/** How long the owner may take for its last answers after the host has gone. */
const LAST_ANSWERS_MS = 4_000;

export interface BridgeOptions {
  /** The host: its requests, and where the answers go. */
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** The connection to the owner, after its hello. */
  readonly socket: Socket;
  /** Finds the next owner, or becomes it, also in the place of one that hangs. */
  reconnect(signal: AbortSignal, isHung: boolean): Promise<Socket>;
  readonly log: Log;
  readonly maxMessageBytes?: number | undefined;
  /** Ends the bridge before its host does: what is open is answered as lost. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Carries a host's session to the owner of the project's server, and on to the next one when that dies. It
 * registers nothing and copies no schema: lines pass as they are. Each request is answered exactly once;
 * one in flight when the owner dies is sent again only if it may run twice.
 * @returns when the host has gone, or the signal has fired, and the host has its answers
 * @throws what `reconnect` throws, after every open request is answered
 */
export function runBridge(options: BridgeOptions): Promise<void> {
  const { stdin, log } = options;
  const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  const ending = new AbortController();
  const buffered = createBufferedLines();
  let link: Link | undefined;
  /** False while the session is told to a new owner: new requests wait behind the old ones. */
  let isReady = false;
  let hasHostGone = false;
  let settle: { resolve(): void; reject(error: unknown): void };
  const finished = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const host = createLineWriter(options.stdout, {
    maxQueuedBytes: DEFAULT_MAX_QUEUED_BYTES,
    drained: () => link?.resume(),
    failed(reason) {
      log.info('the host has gone', { reason });
      void finish();
    },
  });
  const conversation = createConversation(toHost, log);

  function toHost(line: string | Uint8Array): void {
    void host.write(line);
    if (host.queuedBytes > PAUSE_INPUT_AT_BYTES) link?.pause();
  }

  function fromHost(bytes: Buffer): void {
    if (isBlank(bytes)) return;
    const item = new HostLine(bytes);
    // A call is none, and is not read to find out.
    const isAnswer =
      item.callId === undefined && item.message !== undefined && item.message.method === undefined;
    if (link && (isReady || isAnswer)) conversation.fromHost(item, link);
    else buffered.add(item);
    if (buffered.bytes + (link?.queuedBytes ?? 0) > PAUSE_INPUT_AT_BYTES) stdin.pause();
  }

  function attach(socket: Socket): Link {
    const attached = createLink(socket, {
      line: (bytes) => conversation.fromOwner(bytes, attached),
      drained: () => isReady && stdin.resume(),
      lost: (_link, isHung) => attached === link && loseOwner(isHung),
    });
    return attached;
  }

  function loseOwner(isHung: boolean): void {
    link = undefined;
    isReady = false;
    if (hasHostGone) {
      void finish();
      return;
    }
    log.info(isHung ? 'the owner hangs; looking for another' : 'the owner has gone; looking for the next');
    conversation.ownerGone();
    void goOn(isHung);
  }

  async function goOn(isHung: boolean): Promise<void> {
    try {
      const socket = await options.reconnect(ending.signal, isHung);
      if (ending.signal.aborted) return void socket.destroy();
      const next = attach(socket);
      link = next;
      await conversation.goOn(next);
      if (link !== next) return;
      isReady = true;
      for (const item of buffered.takeAll()) conversation.fromHost(item, next);
      if (hasHostGone) next.end();
      else stdin.resume();
    } catch (error) {
      // Lost again: the loss has begun another attempt.
      if (error instanceof LinkLost || ending.signal.aborted) return;
      // One that does not even say hello is none: its loss begins the next attempt.
      if (error instanceof OwnerSilent && link) return void link.destroy();
      log.error('no server to go on with', { reason: String(error) });
      await finish(error);
    }
  }

  function hostGone(): void {
    if (hasHostGone) return;
    hasHostGone = true;
    setTimeout(finish, LAST_ANSWERS_MS).unref();
    if (link && isReady) link.end();
    else if (conversation.openRequests === 0 && buffered.bytes === 0) void finish();
  }

  async function finish(failure?: unknown): Promise<void> {
    if (ending.signal.aborted) return;
    ending.abort(new Error('the host has gone'));
    const isOwnerThere = link !== undefined;
    link?.destroy();
    conversation.end(isOwnerThere);
    for (const line of buffered.refuseAll()) toHost(line);
    await host.end();
    stdin.destroy();
    if (failure === undefined) settle.resolve();
    else settle.reject(failure);
  }

  const splitter = createLineSplitter(maxMessageBytes, {
    line: fromHost,
    overlong(head, tail) {
      const reason = `the message is longer than ${maxMessageBytes} bytes`;
      const refused = refuseUnread(head.toString('latin1'), tail.toString('latin1'), reason);
      if (refused.kind === 'refused') toHost(errorLine(refused));
    },
  });
  stdin.on('error', hostGone);
  stdin.once('close', hostGone);
  stdin.once('end', () => {
    splitter.end();
    hostGone();
  });
  stdin.on('data', (chunk: Buffer) => {
    if (!ending.signal.aborted) splitter.write(chunk);
  });
  options.signal?.addEventListener('abort', () => void finish(), { once: true });
  link = attach(options.socket);
  isReady = true;
  return finished;
}
