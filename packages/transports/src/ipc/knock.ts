import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { joinSignals } from '@nexus/primitives';
import { readFirstLine } from './first-line.ts';
import type { Hello, HelloReply } from './hello.ts';
import { SharingError } from './sharing-error.ts';

/** What a dead owner leaves. Everything else may be a slow owner, and slow is not dead. */
const DEBRIS = new Set(['ENOENT', 'ECONNREFUSED']);
const FORBIDDEN = new Set(['EACCES', 'EPERM']);

export interface OpenKnock {
  readonly kind: 'open';
  readonly socket: Socket;
  readonly reply: HelloReply & { ok: true };
}

export type Knock =
  | OpenKnock
  /** No process listens there. */
  | { readonly kind: 'debris' }
  /** It could not be reached, or went away before it answered; it may be there again. */
  | { readonly kind: 'again' }
  /** It is there, and did not say a word for as long as it was waited for. */
  | { readonly kind: 'silent' };

/**
 * Connects and says hello; waits for the answer as long as the signal lets it, and patience lasts.
 * @throws {SharingError} when the owner refuses, with what differs
 */
export async function knock(
  socketPath: string,
  hello: Hello,
  { signal: until, patience }: { signal: AbortSignal; patience: AbortSignal },
): Promise<Knock> {
  using signal = joinSignals(until, patience);
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  // A connection that is lost before anybody reads from it must not raise an unhandled error.
  socket.on('error', () => {});
  let isOpen = false;
  try {
    await once(socket, 'connect', { signal });
    socket.write(`${JSON.stringify(hello)}\n`);
    // Whoever listens in the user's own folder is taken at its word, and what it answers has no bound.
    const line = await readFirstLine(socket, { maxBytes: Number.POSITIVE_INFINITY, signal });
    const reply = JSON.parse(line) as HelloReply;
    if (!reply.ok) throw new SharingError(`The running server refused this process: ${reply.reason}.`);
    isOpen = true;
    return { kind: 'open', socket, reply };
  } catch (error) {
    if (error instanceof SharingError) throw error;
    until.throwIfAborted();
    if (patience.aborted) return { kind: 'silent' };
    const code = codeOf(error);
    if (FORBIDDEN.has(code)) throw new SharingError(`${socketPath} may not be opened by this user.`, error);
    return { kind: DEBRIS.has(code) ? 'debris' : 'again' };
  } finally {
    if (!isOpen) socket.destroy();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
